// SPDX-License-Identifier: GPL-3.0-or-later
// The guide, the languages and the scaling ruler: what stands beside the runs.
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/user_guide.h"
#include "panels/run_form/run_panel.h"
#include "widgets/bars/message_bar.h"
#include "window/base/language.h"
#include "window/base/window_actions.h"
#include "window/help_context.h"
#include "window/main_window.h"

#include <QApplication>
#include <QStatusBar>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsOfNote = 10'000;

/// Where the keyboard is, if it can be seen: one that a tab hides says nothing.
QWidget* visibleFocus()
{
    QWidget* const widget = QApplication::focusWidget();
    return widget != nullptr && !widget->visibleRegion().isEmpty() ? widget : nullptr;
}

} // namespace

void MainWindow::connectGuide()
{
    connect(m_actions->userGuide, &QAction::triggered, this, [this] {
        showGuide(helpChapterOf(visibleFocus()));
    });
    connect(m_actions->scalingRuler, &QAction::triggered, this, &MainWindow::showScalingRuler);
    connect(m_actions->language, &QActionGroup::triggered, this, [this](const QAction* action) {
        chooseLanguage(action->data().toString());
    });
    for (QAction* const action : m_actions->language->actions()) {
        action->setChecked(action->data().toString() == m_settings.language());
    }
}

void MainWindow::showGuide(const QString& chapter)
{
    if (m_guide == nullptr) {
        m_guide = new UserGuide(this);
    }
    if (!chapter.isEmpty()) {
        m_guide->showChapter(chapter);
    }
    m_guide->show();
    m_guide->raise();
    m_guide->activateWindow();
}

void MainWindow::showScalingRuler()
{
    if (m_scaling == nullptr) {
        m_scaling = new ScalingDialog(m_settings.settings(), this);
        connect(&m_controller, &SessionController::stateChanged, m_scaling, [this] {
            m_scaling->setTraining(m_controller.isBusy());
        });
    }
    if (!m_scaling->isMeasuring()) {
        m_scaling->setUp(m_runPanel->request().config, m_devices);
    }
    m_scaling->setTraining(m_controller.isBusy());
    m_scaling->show();
    m_scaling->raise();
    m_scaling->activateWindow();
}

/// Every text of the window was made when it was; so it is the next start that speaks it.
void MainWindow::chooseLanguage(const QString& code)
{
    const bool isChanged = languageFor(code) != languageFor(m_settings.language());
    m_settings.setLanguage(code);
    if (!isChanged) {
        return;
    }
    const QString text = tr("The language changes when Lockstep is started again.");
    if (m_messages->hasOffers()) { // those stay
        statusBar()->showMessage(text, kMillisecondsOfNote);
    } else {
        m_messages->showMessage(MessageBar::Kind::Information, text);
    }
}

} // namespace lockstep::ui
