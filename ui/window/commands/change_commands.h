// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "window/commands/command_parts.h"

#include <QObject>

namespace lockstep::ui {

class StartCommands;

/// What a person changes in a run while it trains, here or in another process: asks for the value
/// beside the window, and sends it. GUI thread.
class ChangeCommands : public QObject
{
    Q_OBJECT

public:
    ChangeCommands(const CommandParts& parts, StartCommands& starts)
        : m_parts(parts), m_starts(starts)
    {
    }

    [[nodiscard]] bool canChangeLearningRate() const;
    /// Also of a run that has ended: then it goes on.
    [[nodiscard]] bool canChangeSteps() const;

public slots:
    void askForLearningRate();
    /// Asks for a learning rate and offers a tenth of the present one.
    void askForLowerLearningRate();
    void askForSteps();

private:
    void askForLearningRate(double offered);
    void takeLearningRate(const QString& value);
    void takeSteps(const QString& value);
    [[nodiscard]] QString problemOfSteps(const QString& value) const;
    [[nodiscard]] double learningRate() const;
    [[nodiscard]] std::int64_t stepsDone() const;

    const CommandParts m_parts;
    StartCommands& m_starts;
};

} // namespace lockstep::ui
