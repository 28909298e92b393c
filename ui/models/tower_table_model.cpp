// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tower_table_model.h"

#include <QLocale>

#include <utility>

namespace lockstep::ui {
namespace {

/// From here on a loss is a run that diverges: its size counts, not its digits.
constexpr double kLargeLoss = 1e5;

} // namespace

void TowerTableModel::setSeats(std::vector<TowerSeat> seats)
{
    beginResetModel();
    m_seats = std::move(seats);
    m_figures.clear();
    endResetModel();
}

void TowerTableModel::setFigures(std::vector<TowerFigures> figures)
{
    if (figures.size() != m_seats.size() || figures.empty()) {
        return;
    }
    m_figures = std::move(figures);
    emit dataChanged(
        index(0, Loss), index(rowCount() - 1, BusyRate),
        {Qt::DisplayRole, Qt::AccessibleTextRole, ValueRole});
}

int TowerTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_seats.size());
}

int TowerTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn TowerTableModel::column(int number) const
{
    switch (number) {
    case Tower:
        return {tr("Tower"), tr("Number of the tower"), kFigureAlignment};
    case Device:
        return {tr("Device"), tr("What the tower computes on")};
    case Loss:
        return {
            tr("Loss"), tr("Mean loss over the tower's batch in its latest step"),
            kFigureAlignment};
    case BusyRate:
        return {
            tr("Examples/s"),
            tr("Examples of the tower / seconds in which it computed, waiting left out"),
            kFigureAlignment};
    default:
        return {
            tr("Memory"), tr("Activations, gradients and workspace of the tower"),
            kFigureAlignment};
    }
}

QVariant TowerTableModel::value(int row, int column) const
{
    const auto tower = static_cast<std::size_t>(row);
    switch (column) {
    case Tower:
        return row;
    case Device:
        return m_seats[tower].device;
    case Loss:
        return m_figures.empty() ? QVariant() : m_figures[tower].loss;
    case BusyRate:
        return m_figures.empty() ? QVariant() : m_figures[tower].busyExamplesPerSecond;
    default:
        return m_seats[tower].memoryBytes == 0 ? QVariant() : m_seats[tower].memoryBytes;
    }
}

QString TowerTableModel::text(int row, int column) const
{
    const QLocale locale;
    const QVariant shown = value(row, column);
    if (!shown.isValid()) {
        return tr("–", "no value yet");
    }
    switch (column) {
    case Loss:
        return locale.toString(shown.toDouble(), shown.toDouble() < kLargeLoss ? 'f' : 'e', 4);
    case BusyRate:
        return locale.toString(shown.toDouble(), 'f', 0);
    case Memory:
        return locale.formattedDataSize(shown.toLongLong(), 1);
    default:
        return shown.toString();
    }
}

QVariant TowerTableModel::other(int row, int /*column*/, int role) const
{
    return role == ColorIndexRole ? QVariant(row) : QVariant();
}

} // namespace lockstep::ui
