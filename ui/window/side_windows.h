// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"
#include "window/commands/command_parts.h"

#include <QObject>

#include <vector>

class QDialog;

namespace lockstep::ui {

class Cifar10Dialog;
class ScalingDialog;
class SetUpCommands;
class UserGuide;
class WindowActions;

/// The windows beside the main one, none of which holds it up: guide, scaling ruler, download,
/// devices and what else the menus show; and the language that the next start speaks. GUI thread.
class SideWindows : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this object; the window owns the others.
    SideWindows(
        const CommandParts& parts, WindowActions& actions, const std::vector<DeviceRow>& devices,
        SetUpCommands& setUps);

public slots:
    void showCifar10Dialog();

private:
    void connectDialogs();
    /// Empty: the chapter that was shown last.
    void showGuide(const QString& chapter);
    void showScalingRuler();
    void chooseLanguage(const QString& code);

    const CommandParts m_parts;
    WindowActions& m_actions;
    const std::vector<DeviceRow>& m_devices;
    SetUpCommands& m_setUps;
    Cifar10Dialog* m_cifar10 = nullptr;
    UserGuide* m_guide = nullptr;
    ScalingDialog* m_scaling = nullptr;
};

} // namespace lockstep::ui
