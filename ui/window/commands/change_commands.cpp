// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/change_commands.h"

#include "dialogs/number_dialog.h"
#include "models/engine_text.h"
#include "plots/axes/number_text.h"
#include "window/commands/start_commands.h"

#include <QLocale>

namespace lockstep::ui {
namespace {

constexpr const char* kRateKey = "learning_rate.initial";
constexpr const char* kStepsKey = "steps";

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

/// As a configuration has it: the same in every locale.
QString plain(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

/// There is one question at a time.
void ask(const NumberQuestion& question, QWidget& window)
{
    if (auto* const asked = window.findChild<NumberDialog*>()) {
        asked->activateWindow();
        return;
    }
    auto* const dialog = new NumberDialog(question, &window);
    dialog->show(); // nothing waits for it
}

} // namespace

bool ChangeCommands::canChangeLearningRate() const
{
    return m_parts.controller.can(command::SetLearningRate{});
}

bool ChangeCommands::canChangeSteps() const
{
    return m_parts.controller.can(command::SetSteps{}) || m_starts.canContinue();
}

double ChangeCommands::learningRate() const
{
    const auto& newest = m_parts.run.newestStep();
    return newest ? newest->learningRate : m_parts.run.config().learningRate.initial;
}

std::int64_t ChangeCommands::stepsDone() const
{
    const auto& newest = m_parts.run.newestStep();
    return newest ? newest->step + 1 : m_parts.controller.plan().nextStep;
}

void ChangeCommands::askForLearningRate()
{
    askForLearningRate(learningRate());
}

void ChangeCommands::askForLowerLearningRate()
{
    constexpr double kLower = 10.0;
    askForLearningRate(learningRate() / kLower);
}

void ChangeCommands::askForLearningRate(double offered)
{
    NumberQuestion question;
    question.name = QStringLiteral("learning_rate_question");
    question.title = tr("Change Learning Rate");
    question.text =
        tr("The training is saved first, as a pinned checkpoint. From the next step on it goes on "
           "with this learning rate, which decays on from there.");
    question.label = tr("&Learning rate");
    question.note =
        tr("It was %1 in the last step.").arg(QLocale().toString(learningRate(), 'g', 6));
    question.value = plain(offered);
    question.accept = tr("Change");
    question.problemOf = [](const QString& value) {
        return problemOf(kRateKey, tr("Learning rate"), value);
    };
    question.take = [this](const QString& value) { takeLearningRate(value); };
    ask(question, m_parts.window);
}

void ChangeCommands::askForSteps()
{
    const bool isLive = m_parts.controller.can(command::SetSteps{});
    const std::int64_t done = stepsDone();
    const std::int64_t steps = m_parts.run.config().steps;
    NumberQuestion question;
    question.name = QStringLiteral("steps_question");
    question.title = isLive ? tr("Change Number of Steps") : tr("Continue with More Steps");
    question.text = isLive
                        ? tr("Train to how many steps in total?")
                        : tr("The run goes on from its newest checkpoint. Train to how many steps "
                             "in total?");
    question.label = tr("&Steps");
    question.note = tr("%1 of %2 are made.").arg(countText(done), countText(steps));
    // A run that is done is most likely wanted for as long again.
    question.value = QString::number(done < steps ? steps : 2 * steps);
    question.accept = isLive ? tr("Change") : tr("Continue");
    question.isWhole = true;
    question.problemOf = [this](const QString& value) { return problemOfSteps(value); };
    question.take = [this](const QString& value) { takeSteps(value); };
    ask(question, m_parts.window);
}

QString ChangeCommands::problemOfSteps(const QString& value) const
{
    QString problem = problemOf(kStepsKey, tr("Steps"), value);
    const std::int64_t done = stepsDone();
    if (!problem.isEmpty() || value.toLongLong() >= done) {
        return problem;
    }
    return tr("%1 steps are already done").arg(countText(done));
}

void ChangeCommands::takeLearningRate(const QString& value)
{
    if (canChangeLearningRate()) {
        m_parts.controller.send(command::SetLearningRate{value.toDouble()});
    } else {
        emit m_parts.controller.feed().noteArrived(
            tr("The run has ended: its learning rate was not changed."), true);
    }
}

void ChangeCommands::takeSteps(const QString& value)
{
    const command::SetSteps change{value.toLongLong()};
    m_parts.controller.can(change) ? m_parts.controller.send(change)
                                   : m_starts.continueUntil(change.steps);
}

} // namespace lockstep::ui
