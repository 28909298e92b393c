// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/side_windows.h"

#include "dialogs/about_dialog.h"
#include "dialogs/cifar10_dialog.h"
#include "dialogs/devices_dialog.h"
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/shortcuts_dialog.h"
#include "dialogs/user_guide.h"
#include "panels/run_form/run_panel.h"
#include "window/alerts/notices.h"
#include "window/base/language.h"
#include "window/base/window_actions.h"
#include "window/base/window_settings.h"
#include "window/commands/set_up_commands.h"
#include "window/help_context.h"

#include <QApplication>

namespace lockstep::ui {
namespace {

/// Where the keyboard is, if it can be seen: one that a tab hides says nothing.
QWidget* visibleFocus()
{
    QWidget* const widget = QApplication::focusWidget();
    return widget != nullptr && !widget->visibleRegion().isEmpty() ? widget : nullptr;
}

/// One that is thrown away when it is closed.
void showOnce(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void bringUp(QWidget& window)
{
    window.show();
    window.raise();
    window.activateWindow();
}

} // namespace

SideWindows::SideWindows(
    const CommandParts& parts, WindowActions& actions, const std::vector<DeviceRow>& devices,
    SetUpCommands& setUps)
    : m_parts(parts), m_actions(actions), m_devices(devices), m_setUps(setUps)
{
    connectDialogs();
    connect(actions.userGuide, &QAction::triggered, this, [this] {
        showGuide(helpChapterOf(visibleFocus()));
    });
    connect(actions.scalingRuler, &QAction::triggered, this, &SideWindows::showScalingRuler);
    connect(actions.getCifar10, &QAction::triggered, this, &SideWindows::showCifar10Dialog);
    connect(actions.language, &QActionGroup::triggered, this, [this](const QAction* action) {
        chooseLanguage(action->data().toString());
    });
    for (QAction* const action : actions.language->actions()) {
        action->setChecked(action->data().toString() == m_parts.settings.language());
    }
}

void SideWindows::connectDialogs()
{
    QWidget* const window = &m_parts.window;
    connect(m_actions.shortcuts, &QAction::triggered, this, [this, window] {
        showOnce(new ShortcutsDialog(m_actions.all(), window));
    });
    connect(m_actions.devices, &QAction::triggered, this, [this, window] {
        showOnce(new DevicesDialog(m_devices, window));
    });
    connect(m_actions.about, &QAction::triggered, this, [this, window] {
        showOnce(new AboutDialog(m_devices, window));
    });
    connect(m_actions.aboutQt, &QAction::triggered, this, [] { QApplication::aboutQt(); });
}

void SideWindows::showCifar10Dialog()
{
    if (m_cifar10 == nullptr) {
        m_cifar10 = new Cifar10Dialog(&m_parts.window);
        connect(m_cifar10, &Cifar10Dialog::ready, &m_setUps, &SetUpCommands::offerCifar10);
    }
    bringUp(*m_cifar10);
}

void SideWindows::showGuide(const QString& chapter)
{
    if (m_guide == nullptr) {
        m_guide = new UserGuide(&m_parts.window);
    }
    if (!chapter.isEmpty()) {
        m_guide->showChapter(chapter);
    }
    bringUp(*m_guide);
}

void SideWindows::showScalingRuler()
{
    SessionController& controller = m_parts.controller;
    if (m_scaling == nullptr) {
        m_scaling = new ScalingDialog(m_parts.settings.settings(), &m_parts.window);
        connect(&controller, &SessionController::stateChanged, m_scaling, [this, &controller] {
            m_scaling->setTraining(controller.isBusy());
        });
    }
    if (!m_scaling->isMeasuring()) {
        m_scaling->setUp(m_parts.panel.request().config, m_devices);
    }
    m_scaling->setTraining(controller.isBusy());
    bringUp(*m_scaling);
}

/// Every text of the window was made when it was; so it is the next start that speaks it.
void SideWindows::chooseLanguage(const QString& code)
{
    const bool isChanged = languageFor(code) != languageFor(m_parts.settings.language());
    m_parts.settings.setLanguage(code);
    if (isChanged) {
        m_parts.notices.bar().showMessage(
            Notices::Kind::Information, tr("The language changes when Lockstep is started again."));
    }
}

} // namespace lockstep::ui
