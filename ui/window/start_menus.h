// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/commands/command_parts.h"

#include <QObject>

#include <functional>

class QMenu;

namespace lockstep::ui {

class OpenCommands;
class SetUpCommands;
class StartPage;
class WindowActions;

/// What a run can begin with, as the start page and the menus offer it: presets, shipped and a
/// person's own, and the runs and checkpoints of before. GUI thread.
class StartMenus : public QObject
{
    Q_OBJECT

public:
    /// What it works with, all of which must outlive it.
    struct Parts
    {
        CommandParts commands;
        WindowActions& actions;
        StartPage& page;
        SetUpCommands& setUps;
        OpenCommands& opens;
    };

    explicit StartMenus(const Parts& parts);

private:
    void connectPage();
    void fillPresets();
    void askForPresetName(
        const QString& title, const QString& proposed,
        const std::function<void(const QString&)>& save);
    void changePresets(const std::function<void()>& change);
    void fillRecent(QMenu& menu, bool isRuns);

    const Parts m_parts;
};

} // namespace lockstep::ui
