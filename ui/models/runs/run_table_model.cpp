// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/run_table_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {
namespace {

QString stepsText(const RunRow& run)
{
    const QLocale locale;
    return run.stepsDone >= run.stepsWanted
               ? locale.toString(run.stepsDone)
               : RunTableModel::tr("%1 of %2")
                     .arg(locale.toString(run.stepsDone), locale.toString(run.stepsWanted));
}

QString towersText(const RunRow& run)
{
    const QLocale locale;
    const QString towers = locale.toString(run.towers);
    return run.batchPerTower == 0
               ? towers
               : RunTableModel::tr("%1 × %2").arg(towers, locale.toString(run.batchPerTower));
}

QVariant finiteOf(const std::optional<double>& figure)
{
    return figure ? finite(*figure) : QVariant();
}

TableColumn<RunRow> figureColumn(
    const QString& title, const QString& toolTip, std::optional<double> RunRow::*figure,
    const CellFormat& format)
{
    const auto text = [figure, written = format.text](const RunRow& run) {
        const auto& shown = run.*figure;
        return !shown                  ? QString()
               : std::isfinite(*shown) ? written(*shown)
                                       : RunTableModel::tr("not a number");
    };
    return {
        title, toolTip, [figure](const RunRow& run) { return finiteOf(run.*figure); }, format,
        text};
}

/// Of a run whose configuration was read.
QVariant globalBatch(const RunRow& run)
{
    const qint64 batch = run.towers * run.batchPerTower;
    return batch == 0 ? QVariant() : QVariant(batch);
}

QString dateText(const QVariant& date)
{
    return QLocale().toString(date.toDateTime(), QLocale::ShortFormat);
}

} // namespace

QString stageText(const RunRow& run)
{
    const QString step = QLocale().toString(run.stepsDone);
    switch (run.stage) {
    case RunStage::New:
        return RunTableModel::tr("No step yet");
    case RunStage::Training:
        return !run.recordedBy.isEmpty() ? RunTableModel::tr("Being recorded")
               : run.process == QCoreApplication::applicationPid()
                   ? RunTableModel::tr("Training here")
               : run.process == 0 // of another machine
                   ? RunTableModel::tr("Training")
                   : RunTableModel::tr("Training, process %1").arg(run.process);
    case RunStage::Finished:
        return RunTableModel::tr("Finished");
    case RunStage::Stopped:
        return (run.recordedBy.isEmpty() ? RunTableModel::tr("Stopped at step %1")
                                         : RunTableModel::tr("Recorded until step %1"))
            .arg(step);
    case RunStage::Failed:
        return RunTableModel::tr("Ended by an error at step %1").arg(step);
    case RunStage::EndedUnexpectedly:
        return RunTableModel::tr("Ended unexpectedly at step %1").arg(step);
    case RunStage::Unreadable:
        break;
    }
    return run.problem;
}

RunTableModel::RunTableModel()
    : RowModel(
        {{tr("Run"), tr("Its name (F2 gives it another). Check a run to lay it over the charts"),
          &RunRow::name},
         {tr("Mean loss"), tr("Mean loss over the steps of the run"),
          [](const RunRow& run) { return finiteOf(run.lastLoss); },
          [](const RunRow& /*run*/) { return QString(); }},
         {tr("State"), tr("How far the run came"), stageText},
         {tr("Model"), tr("The network"), &RunRow::model},
         {tr("Data set"), tr("What it is trained on"), &RunRow::dataset},
         {tr("Steps"), tr("Steps done"),
          [](const RunRow& run) {
              return run.stage == RunStage::Unreadable ? QVariant() : QVariant(run.stepsDone);
          },
          wholeNumbers(), stepsText},
         figureColumn(
             tr("Last loss"),
             tr("Mean loss of all towers at the last step, without weight decay where it is known"),
             &RunRow::lastLoss, decimals(3)),
         figureColumn(
             tr("Lowest loss"), tr("The lowest mean loss of all towers at any step, likewise"),
             &RunRow::lowestLoss, decimals(3)),
         figureColumn(
             tr("Last accuracy"),
             tr("Accuracy of the last evaluation on the test set, with moving averages of the "
                "weights"),
             &RunRow::lastAccuracy, percents(1)),
         figureColumn(
             tr("Best accuracy"),
             tr("The best accuracy on the test set, with moving averages of the weights"),
             &RunRow::bestAccuracy, percents(1)),
         figureColumn(
             tr("Examples/s"), tr("Examples ÷ training time, over the last steps"),
             &RunRow::examplesPerSecond, rates()),
         {tr("Towers × batch"), tr("Towers × examples of one tower in a step"), globalBatch,
          wholeNumbers(), towersText},
         {tr("Global batch"), tr("Examples of all towers in a step"), globalBatch, wholeNumbers()},
         {tr("Rate"), tr("Learning rate of the first step"),
          [](const RunRow& run) { return run.towers == 0 ? QVariant() : finite(run.learningRate); },
          digits(4)},
         {tr("Optimizer"), tr("How the weights follow their gradients"), &RunRow::optimizer},
         {tr("Precision"), tr("Number format of the training"), &RunRow::precision},
         {tr("Started"), tr("When the run was made"),
          [](const RunRow& run) {
              return run.started.isValid() ? QVariant(run.started) : QVariant();
          },
          figureFormat(dateText)}})
{
}

void RunTableModel::keepOnly(const QStringList& folders)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!folders.contains(at(row).folder)) {
            beginRemoveRows({}, row, row);
            m_rows.erase(m_rows.begin() + row);
            endRemoveRows();
        }
    }
}

void RunTableModel::setRow(RunRow row)
{
    const int known = rowOf(row.folder);
    if (known >= 0) {
        m_rows[static_cast<std::size_t>(known)] = std::move(row);
        emit dataChanged(index(known, 0), index(known, ColumnCount - 1));
        return;
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_rows.push_back(std::move(row));
    endInsertRows();
}

void RunTableModel::setOverlays(const QHash<QString, int>& colors)
{
    m_overlays = colors;
    tellChanged(Name, Curve, {Qt::CheckStateRole, ColorIndexRole});
}

void RunTableModel::setShown(const QString& folder)
{
    m_shown = folder;
    tellChanged(Name, Name, {EmphasisRole});
}

int RunTableModel::rowOf(const QString& folder) const
{
    const auto found = std::ranges::find(m_rows, folder, &RunRow::folder);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags usual = TableModel::flags(index);
    const bool isReadable =
        index.isValid() && index.column() == Name && at(index.row()).stage != RunStage::Unreadable;
    return isReadable ? usual | Qt::ItemIsUserCheckable | Qt::ItemIsEditable : usual;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Name) {
        return false;
    }
    const RunRow& named = at(index.row());
    if (role == Qt::CheckStateRole) {
        emit overlayWanted(named.folder, value.toInt() == Qt::Checked);
    } else if (role == Qt::EditRole && value.toString() != named.name) {
        emit renameWanted(named.folder, value.toString());
    }
    return true;
}

QString RunTableModel::text(int row, int column) const
{
    const bool isUnknown = at(row).stage == RunStage::Unreadable && column > DataSet;
    return isUnknown ? QString() : RowModel::text(row, column);
}

QVariant RunTableModel::other(int row, int column, int role) const
{
    const RunRow& shown = at(row);
    const bool isOverlaid = m_overlays.contains(shown.folder);
    switch (role) {
    case RecordRole:
        return QVariant::fromValue(static_cast<const void*>(&shown));
    case FileRole:
        return shown.folder;
    case Qt::EditRole:
        return text(row, column);
    case ColorIndexRole:
        return m_overlays.value(shown.folder, -1);
    case Qt::CheckStateRole:
        return column == Name && shown.stage != RunStage::Unreadable
                   ? QVariant(isOverlaid ? Qt::Checked : Qt::Unchecked)
                   : QVariant();
    case Qt::ToolTipRole:
        return !shown.problem.isEmpty() ? shown.problem
               : column == Name         ? shown.folder
               : column == State        ? text(row, State)
                                        : QString();
    case EmphasisRole:
        return column == Name && shown.folder == m_shown;
    case WarningRole:
        return column == State
               && (shown.stage == RunStage::Unreadable || shown.stage == RunStage::Failed
                   || shown.stage == RunStage::EndedUnexpectedly);
    default:
        return {};
    }
}

bool RunFilter::isListed(const RunRow& run) const
{
    const std::array texts{run.name, stageText(run), run.model, run.dataset};
    return std::ranges::all_of(words, [&](const QString& word) {
        return std::ranges::any_of(
            texts, [&](const QString& text) { return text.contains(word, Qt::CaseInsensitive); });
    });
}

bool RunFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool isLeftKnown = left.data(ValueRole).isValid();
    const bool isRightKnown = right.data(ValueRole).isValid();
    if (isLeftKnown != isRightKnown) { // a descending order is the ascending one turned round
        return isLeftKnown == (sortOrder() == Qt::AscendingOrder);
    }
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace lockstep::ui
