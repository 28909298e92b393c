// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// How far a run came.
enum class RunStage {
    New,               ///< no step yet, and nobody trains it
    Training,          ///< by a process that is there
    Finished,          ///< all steps done
    Stopped,           ///< by a person
    Failed,            ///< by an error
    EndedUnexpectedly, ///< its process is gone without a word: killed, or the machine was
    Unreadable,
};

/// A point of a run's little curve: the mean loss over a stretch of steps.
struct SmallCurvePoint
{
    double step = 0.0; ///< in the middle of the stretch
    double loss = 0.0; ///< not a number where the run's was not
};

/// What the table of runs tells of one. A plain value.
struct RunRow
{
    QString folder; ///< absolute: what the run is known by
    QString name;   ///< for people
    RunStage stage = RunStage::New;
    qint64 process = 0; ///< that trains it
    QString problem;    ///< why it can't be read
    QString model;
    QString dataset;
    int towers = 0;
    qint64 batchPerTower = 0;
    double learningRate = 0.0; ///< of the first step
    QString optimizer;
    QString precision;
    qint64 stepsDone = 0;
    qint64 stepsWanted = 0;
    // Of the mean loss at a step, of the test accuracy with moving averages (0 to 1).
    std::optional<double> lastLoss;
    std::optional<double> lowestLoss;
    std::optional<double> lastAccuracy;
    std::optional<double> bestAccuracy;
    std::optional<double> examplesPerSecond; ///< over its last steps
    QDateTime started;
    std::vector<SmallCurvePoint> curve; ///< by ascending step
};

} // namespace lockstep::ui
