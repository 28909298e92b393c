// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/run_row_text.h"

#include "models/runs/run_table_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

using Column = RunTableModel::Column;

QVariant valueOf(const std::optional<double>& figure)
{
    return figure && std::isfinite(*figure) ? QVariant(*figure) : QVariant();
}

QString decimals(const std::optional<double>& figure, int count)
{
    if (!figure) {
        return {};
    }
    return std::isfinite(*figure) ? QLocale().toString(*figure, 'f', count)
                                  : RunTableModel::tr("not a number");
}

QString percent(const std::optional<double>& share)
{
    return share ? RunTableModel::tr("%1 %").arg(QLocale().toString(100.0 * *share, 'f', 1))
                 : QString();
}

QString stageText(const RunRow& run)
{
    const QString step = QLocale().toString(run.stepsDone);
    switch (run.stage) {
    case RunStage::New:
        return RunTableModel::tr("No step yet");
    case RunStage::Training:
        return run.process == QCoreApplication::applicationPid()
                   ? RunTableModel::tr("Training here")
                   : RunTableModel::tr("Training, process %1").arg(run.process);
    case RunStage::Finished:
        return RunTableModel::tr("Finished");
    case RunStage::Stopped:
        return RunTableModel::tr("Stopped at step %1").arg(step);
    case RunStage::Failed:
        return RunTableModel::tr("Ended by an error at step %1").arg(step);
    case RunStage::EndedUnexpectedly:
        return RunTableModel::tr("Ended unexpectedly at step %1").arg(step);
    case RunStage::Unreadable:
        break;
    }
    return run.problem;
}

QString stepsText(const RunRow& run)
{
    const QLocale locale;
    return run.stepsDone >= run.stepsWanted
               ? locale.toString(run.stepsDone)
               : RunTableModel::tr("%1 of %2")
                     .arg(locale.toString(run.stepsDone), locale.toString(run.stepsWanted));
}

QString figureText(const RunRow& run, int column)
{
    const QLocale locale;
    switch (column) {
    case Column::Towers:
        return RunTableModel::tr("%1 × %2").arg(
            locale.toString(run.towers), locale.toString(run.batchPerTower));
    case Column::Steps:
        return stepsText(run);
    case Column::LastLoss:
        return decimals(run.lastLoss, 3);
    case Column::LowestLoss:
        return decimals(run.lowestLoss, 3);
    case Column::LastAccuracy:
        return percent(run.lastAccuracy);
    case Column::BestAccuracy:
        return percent(run.bestAccuracy);
    case Column::ExamplesPerSecond:
        return decimals(run.examplesPerSecond, 0);
    default:
        return locale.toString(run.started, QLocale::ShortFormat);
    }
}

} // namespace

QString runText(const RunRow& run, int column)
{
    switch (column) {
    case Column::Name:
        return run.name;
    case Column::Curve:
        return {};
    case Column::State:
        return stageText(run);
    case Column::Model:
        return run.model;
    case Column::DataSet:
        return run.dataset;
    default:
        return run.stage == RunStage::Unreadable ? QString() : figureText(run, column);
    }
}

QVariant runValue(const RunRow& run, int column)
{
    switch (column) {
    case Column::Towers:
        return run.towers == 0 ? QVariant() : QVariant(run.towers * run.batchPerTower);
    case Column::Steps:
        return run.stage == RunStage::Unreadable ? QVariant() : QVariant(run.stepsDone);
    case Column::Curve:
    case Column::LastLoss:
        return valueOf(run.lastLoss);
    case Column::LowestLoss:
        return valueOf(run.lowestLoss);
    case Column::LastAccuracy:
        return valueOf(run.lastAccuracy);
    case Column::BestAccuracy:
        return valueOf(run.bestAccuracy);
    case Column::ExamplesPerSecond:
        return valueOf(run.examplesPerSecond);
    case Column::Started:
        return run.started.isValid() ? QVariant(run.started) : QVariant();
    default:
        return runText(run, column);
    }
}

} // namespace lockstep::ui
