// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/run_table_model.h"

#include "models/runs/run_row_text.h"

#include <algorithm>
#include <utility>

namespace lockstep::ui {

void RunTableModel::keepOnly(const QStringList& folders)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!folders.contains(run(row).folder)) {
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
    if (!m_rows.empty()) {
        emit dataChanged(
            index(0, Name), index(rowCount() - 1, Curve), {Qt::CheckStateRole, ColorIndexRole});
    }
}

void RunTableModel::setShown(const QString& folder)
{
    m_shown = folder;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, Name), index(rowCount() - 1, Name), {EmphasisRole});
    }
}

int RunTableModel::rowOf(const QString& folder) const
{
    const auto found = std::find_if(
        m_rows.begin(), m_rows.end(), [&](const RunRow& row) { return row.folder == folder; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags usual = TableModel::flags(index);
    const bool isReadable =
        index.isValid() && index.column() == Name && run(index.row()).stage != RunStage::Unreadable;
    return isReadable ? usual | Qt::ItemIsUserCheckable | Qt::ItemIsEditable : usual;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Name) {
        return false;
    }
    const RunRow& named = run(index.row());
    if (role == Qt::CheckStateRole) {
        emit overlayWanted(named.folder, value.toInt() == Qt::Checked);
    } else if (role == Qt::EditRole && value.toString() != named.name) {
        emit renameWanted(named.folder, value.toString());
    }
    return true;
}

TableColumn RunTableModel::column(int number) const
{
    switch (number) {
    case Name:
        return {
            tr("Run"), tr("Its name (F2 gives it another). Check a run to lay it over the charts")};
    case Curve:
        return {tr("Mean loss"), tr("Mean loss over the steps of the run")};
    case State:
        return {tr("State"), tr("How far the run came")};
    case Model:
        return {tr("Model"), tr("The network")};
    case DataSet:
        return {tr("Data set"), tr("What it is trained on")};
    case Towers:
        return {
            tr("Towers × batch"), tr("Towers × examples of one tower in a step"), kFigureAlignment};
    case Steps:
        return {tr("Steps"), tr("Steps done"), kFigureAlignment};
    case LastLoss:
        return {tr("Last loss"), tr("Mean loss of all towers at the last step"), kFigureAlignment};
    case LowestLoss:
        return {
            tr("Lowest loss"), tr("The lowest mean loss of all towers at any step"),
            kFigureAlignment};
    case LastAccuracy:
        return {
            tr("Last accuracy"),
            tr("Accuracy of the last evaluation on the test set, with moving averages of the "
               "weights"),
            kFigureAlignment};
    case BestAccuracy:
        return {
            tr("Best accuracy"),
            tr("The best accuracy on the test set, with moving averages of the weights"),
            kFigureAlignment};
    case ExamplesPerSecond:
        return {
            tr("Examples/s"), tr("Examples ÷ training time, over the last steps"),
            kFigureAlignment};
    default:
        return {tr("Started"), tr("When the run was made"), kFigureAlignment};
    }
}

QVariant RunTableModel::value(int row, int column) const
{
    return runValue(run(row), column);
}

QString RunTableModel::text(int row, int column) const
{
    return runText(run(row), column);
}

QString RunTableModel::toolTip(int row, int column) const
{
    const RunRow& shown = run(row);
    if (!shown.problem.isEmpty()) {
        return shown.problem;
    }
    return column == Name ? shown.folder : column == State ? text(row, State) : QString();
}

QVariant RunTableModel::other(int row, int column, int role) const
{
    const RunRow& shown = run(row);
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
        return toolTip(row, column);
    case EmphasisRole:
        return shown.folder == m_shown;
    case WarningRole:
        return column == State
               && (shown.stage == RunStage::Unreadable || shown.stage == RunStage::Failed
                   || shown.stage == RunStage::EndedUnexpectedly);
    default:
        return {};
    }
}

} // namespace lockstep::ui
