// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"
#include "dialogs/cifar10_dialog.h"
#include "dialogs/rate_finder/rate_finder_dialog.h"
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/shortcuts_dialog.h"
#include "dialogs/user_guide.h"
#include "panels/run_form/run_panel.h"
#include "window/base/language.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"
#include "window/desktop/desktop.h"

#include <QApplication>

#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

/// By the name of a dock, or the class of a part of the window.
constexpr std::array<std::pair<const char*, const char*>, 19> kChapters{{
    {"run_dock", "setting-up"},
    {"towers_dock", "window"},
    {"barrier_dock", "barrier-clock"},
    {"log_dock", "window"},
    {"preview_dock", "data-preview"},
    {"checkpoints_dock", "checkpoints"},
    {"runs_dock", "runs"},
    {"gradients_dock", "gradients"},
    {"weights_dock", "weights"},
    {"masks_dock", "masks"},
    {"devices_dock", "devices"},
    {"evaluation_dock", "evaluation"},
    {"scaling_dialog", "scaling"},
    {"rate_finder_dialog", "setting-up"},
    {"variation_chart", "last-tower"},
    {"bias_chart", "last-tower"},
    {"lockstep::ui::ChartsPanel", "charts"},
    {"lockstep::ui::PlotView", "charts"},
    {"lockstep::ui::MessageBar", "live-control"},
}};

/// One that is thrown away when it is closed.
void showOnce(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

class SideWindows : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::SideWindows)

public:
    SideWindows(const WindowParts& parts, SetUpCommands& setUps)
        : QObject(&parts.owner), m_parts(parts), m_setUps(setUps)
    {
        const WindowActions& actions = parts.actions;
        connect(actions.shortcuts, &QAction::triggered, this, [this] {
            showOnce(new ShortcutsDialog(m_parts.actions.all(), &m_parts.window));
        });
        connect(actions.devices, &QAction::triggered, this, [this] {
            showOnce(new DevicesDialog(m_parts.devices, &m_parts.window));
        });
        connect(actions.about, &QAction::triggered, this, [this] {
            showOnce(new AboutDialog(m_parts.devices, &m_parts.window));
        });
        connect(actions.aboutQt, &QAction::triggered, this, [] { QApplication::aboutQt(); });
        connect(actions.userGuide, &QAction::triggered, this, [this] {
            const QWidget* const focus = QApplication::focusWidget();
            const bool isSeen = focus != nullptr && !focus->visibleRegion().isEmpty();
            showGuide(helpChapterOf(isSeen ? focus : nullptr)); // one behind a tab says nothing
        });
        connect(actions.scalingRuler, &QAction::triggered, this, &SideWindows::showScalingRuler);
        connect(actions.findRate, &QAction::triggered, this, &SideWindows::showRateFinder);
        connect(actions.getCifar10, &QAction::triggered, this, &SideWindows::showCifar10Dialog);
        connect(
            &parts.panel, &RunPanel::getCifar10Requested, this, &SideWindows::showCifar10Dialog);
        connect(actions.language, &QActionGroup::triggered, this, [this](const QAction* action) {
            chooseLanguage(action->data().toString());
        });
        for (QAction* const action : actions.language->actions()) {
            action->setChecked(action->data().toString() == m_parts.settings.language());
        }
        connect(&parts.panel, &RunPanel::requestChanged, this, &SideWindows::updateTrials);
        connect(&parts.controller, &SessionController::stateChanged, this, [this] {
            // The run that is followed from here on is not yet the one that is shown.
            if (!m_parts.controller.isFollowing()) {
                updateTrials();
            }
        });
        connect(&parts.run, &LiveRun::begun, this, &SideWindows::updateTrials);
    }

private:
    void showCifar10Dialog()
    {
        if (m_cifar10 == nullptr) {
            m_cifar10 = new Cifar10Dialog(&m_parts.window);
            connect(m_cifar10, &Cifar10Dialog::ready, &m_setUps, &SetUpCommands::offerCifar10);
        }
        bringUp(*m_cifar10);
    }

    /// Empty: the chapter that was shown last.
    void showGuide(const QString& chapter)
    {
        if (m_guide == nullptr) {
            m_guide = new UserGuide(&m_parts.window);
        }
        if (!chapter.isEmpty()) {
            m_guide->showChapter(chapter);
        }
        bringUp(*m_guide);
    }

    void showScalingRuler()
    {
        if (m_scaling == nullptr) {
            m_scaling = new ScalingDialog(m_parts.settings.settings(), &m_parts.window);
        }
        updateTrials();
        bringUp(*m_scaling);
    }

    void showRateFinder()
    {
        if (m_rateFinder == nullptr) {
            m_rateFinder = new RateFinderDialog(&m_parts.window);
            connect(m_rateFinder, &RateFinderDialog::rateTaken, this, [this](double rate) {
                RunRequest request = m_parts.panel.request();
                takeRate(request.config, rate);
                m_parts.panel.setRequest(request);
            });
            connect(m_rateFinder, &RateFinderDialog::foundChanged, this, [this] {
                m_parts.panel.setFoundRate(m_rateFinder->found());
            });
        }
        updateTrials();
        bringUp(*m_rateFinder);
    }

    /// For the run that is set up, which may be changed beside them, and not beside a training.
    void updateTrials()
    {
        const RunConfig config = m_parts.panel.request().config;
        const bool isTraining = m_parts.run.isTrainedHere();
        if (m_scaling != nullptr) {
            m_scaling->setUp(config, m_parts.devices);
            m_scaling->setTraining(isTraining);
        }
        if (m_rateFinder != nullptr) {
            m_rateFinder->setUp(config);
            m_rateFinder->setTraining(isTraining);
        }
    }

    /// Every text of the window was made when it was; so it is the next start that speaks it, which
    /// a run that goes on here would not outlive.
    void chooseLanguage(const QString& code)
    {
        const bool isChanged = languageFor(code) != languageFor(m_parts.settings.language());
        m_parts.settings.language.set(code);
        std::vector<MessageAction> actions;
        if (!m_parts.controller.trainsHere()) {
            const auto restart = [this] {
                if (m_parts.window.close()) {
                    QCoreApplication::exit(kRestart);
                }
            };
            constexpr bool kIsKeeping = true; // what is offered already
            actions.push_back({tr("Restart Now"), restart, kIsKeeping});
        }
        if (isChanged) {
            m_parts.notices.show(
                tr("The language changes when Lockstep is started again."), actions);
        }
    }

    const WindowParts m_parts;
    SetUpCommands& m_setUps;
    Cifar10Dialog* m_cifar10 = nullptr;
    UserGuide* m_guide = nullptr;
    ScalingDialog* m_scaling = nullptr;
    RateFinderDialog* m_rateFinder = nullptr;
};

} // namespace

QString helpChapterOf(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        for (const auto& [part, chapter] : kChapters) {
            if (widget->objectName() == QLatin1String(part) || widget->inherits(part)) {
                return QString::fromLatin1(chapter);
            }
        }
    }
    return {};
}

void addSideWindows(const WindowParts& parts, SetUpCommands& setUps)
{
    new SideWindows(parts, setUps);
}

} // namespace lockstep::ui
