// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_text.h"
#include "bridge/runs/run_checkpoints.h"
#include "dialogs/number_dialog.h"
#include "models/engine_text.h"
#include "plots/axes/number_text.h"
#include "window/alerts/alert_desk.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QLocale>

namespace lockstep::ui {
namespace {

/// What the engine says against a value of a setting, under the name that a person knows.
QString problemOf(const char* key, const QString& title, const QString& value)
{
    try {
        RunConfig config;
        setConfigValue(config, key, value.toStdString());
        config.validate();
        return {};
    } catch (const Error& error) {
        const QString text = engineText(error.what());
        const QString name = QString::fromLatin1(key) + QLatin1Char(' ');
        return text.startsWith(name) ? title + QLatin1Char(' ') + text.mid(name.size()) : text;
    }
}

/// There is one question at a time. It is about the run that is shown, and goes with it.
void ask(const NumberQuestion& question, const WindowParts& parts)
{
    if (auto* const asked = parts.window.findChild<NumberDialog*>()) {
        asked->activateWindow();
        return;
    }
    using C = SessionController;
    auto* const dialog = new NumberDialog(question, &parts.window);
    QObject::connect(&parts.run, &LiveRun::begun, dialog, &QDialog::reject);
    QObject::connect(&parts.controller, &C::stateChanged, dialog, [dialog](C::State state) {
        if (state == C::State::Preparing) {
            dialog->reject();
        }
    });
    dialog->show(); // nothing waits for it
}

class ChangeCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::ChangeCommands)

public:
    ChangeCommands(const WindowParts& parts, StartCommands& starts, AlertDesk& alerts)
        : QObject(&parts.owner), m_parts(parts), m_starts(starts)
    {
        const WindowActions& actions = parts.actions;
        connect(actions.changeLearningRate, &QAction::triggered, this, [this] {
            askForLearningRate(learningRate());
        });
        connect(&alerts, &AlertDesk::lowerLearningRateRequested, this, [this] {
            constexpr double kLower = 10.0;
            askForLearningRate(learningRate() / kLower);
        });
        connect(actions.changeSteps, &QAction::triggered, this, &ChangeCommands::askForSteps);
        connect(actions.stopAfterEpoch, &QAction::triggered, this, [this](bool isWanted) {
            m_parts.controller.send(command::StopAfterEpoch{isWanted});
        });
        connect(&starts, &StartCommands::continuableChanged, this, &ChangeCommands::update);
        connect(
            &parts.controller, &SessionController::writerChanged, this, &ChangeCommands::update);
        connect(&parts.run, &LiveRun::begun, this, &ChangeCommands::update);
        connect(&parts.checkpoints, &RunCheckpoints::changed, this, &ChangeCommands::update);
        // What was asked for is known to be so once the run says it.
        connect(&parts.controller.feed(), &RunFeed::noteArrived, this, &ChangeCommands::update);
        connect(&parts.controller.feed(), &RunFeed::configChanged, this, &ChangeCommands::update);
        update();
    }

private:
    void update()
    {
        const WindowActions& actions = m_parts.actions;
        const bool isLive = m_parts.controller.can(command::StopAfterEpoch{});
        actions.changeLearningRate->setEnabled(m_parts.controller.can(command::SetLearningRate{}));
        // Also of a run that has ended: then it goes on.
        actions.changeSteps->setEnabled(
            m_parts.controller.can(command::SetSteps{}) || m_starts.canContinue());
        actions.stopAfterEpoch->setEnabled(isLive);
        actions.stopAfterEpoch->setChecked(isLive && m_parts.controller.stopStep() >= 0);
    }

    [[nodiscard]] double learningRate() const
    {
        const auto& newest = m_parts.run.newestStep();
        return newest ? newest->learningRate : m_parts.run.config().learningRate.initial;
    }

    [[nodiscard]] std::int64_t stepsDone() const
    {
        const auto& newest = m_parts.run.newestStep();
        return newest ? newest->step + 1 : m_parts.controller.plan().nextStep;
    }

    void askForLearningRate(double offered)
    {
        NumberQuestion question;
        question.name = QStringLiteral("learning_rate_question");
        question.title = tr("Change Learning Rate");
        question.text = tr(
            "The training is saved first, as a pinned checkpoint. From the next step on it goes on "
            "with this learning rate, which decays on from there.");
        question.label = tr("&Learning rate");
        question.note =
            tr("It was %1 in the last step.").arg(QLocale().toString(learningRate(), 'g', 6));
        // As a configuration has it: the same in every locale.
        question.value = QString::number(offered, 'g', QLocale::FloatingPointShortest);
        question.accept = tr("Change");
        question.problemOf = [](const QString& value) {
            return problemOf("learning_rate.initial", tr("Learning rate"), value);
        };
        question.warningOf = [](const QString& value) {
            RunConfig config;
            config.learningRate.initial = value.toDouble();
            return rateWarning(config);
        };
        question.take = [this](const QString& value) {
            send(
                command::SetLearningRate{value.toDouble()},
                tr("The run can't be changed now: its learning rate stays as it was."));
        };
        ask(question, m_parts);
    }

    void askForSteps()
    {
        const bool isLive = m_parts.controller.can(command::SetSteps{});
        const std::int64_t done = stepsDone();
        const std::int64_t steps = m_parts.run.config().steps;
        NumberQuestion question;
        question.name = QStringLiteral("steps_question");
        question.title = isLive ? tr("Change Number of Steps") : tr("Continue with More Steps");
        question.text =
            isLive ? tr("Train to how many steps in total?")
                   : tr("The run goes on from its newest checkpoint. Train to how many steps "
                        "in total?");
        question.label = tr("&Steps");
        question.note = tr("%1 of %2 are made.").arg(countText(done), countText(steps));
        // A run that is done is most likely wanted for as long again.
        question.value = QString::number(done < steps ? steps : 2 * steps);
        question.accept = isLive ? tr("Change") : tr("Continue");
        question.isWhole = true;
        question.problemOf = [this](const QString& value) {
            const QString problem = problemOf("steps", tr("Steps"), value);
            const std::int64_t made = stepsDone();
            return problem.isEmpty() && value.toLongLong() < made
                       ? tr("%1 steps are already done").arg(countText(made))
                       : problem;
        };
        question.take = [this, isLive](const QString& value) {
            const command::SetSteps change{value.toLongLong()};
            if (isLive) {
                send(
                    change,
                    tr("The run can't be changed now: its number of steps stays as it was."));
            } else {
                m_starts.resumeRun(m_parts.run.folder(), change.steps);
            }
        };
        ask(question, m_parts);
    }

    /// The run may have ended since the question.
    void send(const RunCommand& change, const QString& refusal)
    {
        if (m_parts.controller.can(change)) {
            m_parts.controller.send(change);
        } else {
            emit m_parts.controller.feed().noteArrived(refusal, true);
        }
    }

    const WindowParts m_parts;
    StartCommands& m_starts;
};

} // namespace

void addChangeCommands(const WindowParts& parts, StartCommands& starts, AlertDesk& alerts)
{
    new ChangeCommands(parts, starts, alerts);
}

} // namespace lockstep::ui
