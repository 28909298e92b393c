// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/tower_table_model.h"

#include "models/names.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

/// From here on a loss is a run that diverges: its size counts, not its digits.
constexpr double kLargeLoss = 1e5;
constexpr double kPercent = 100.0;

/// Not valid where the device does not tell.
QVariant valueOf(const DeviceFigures& figures, int column)
{
    const auto known = [](auto number) { return number < 0 ? QVariant() : QVariant(number); };
    switch (column) {
    case TowerTableModel::DeviceMemory:
        return known(figures.memoryUsedBytes);
    case TowerTableModel::Load:
        return known(figures.load);
    case TowerTableModel::Temperature:
        return known(figures.temperature);
    case TowerTableModel::Power:
        return known(figures.powerWatts);
    default:
        return figures.throttleReason.isEmpty() ? QVariant() : figures.throttleReason;
    }
}

/// The first of several reasons: a column has no room for more.
QString shortReason(const QString& reason)
{
    const qsizetype comma = reason.indexOf(QLatin1Char(','));
    return comma < 0 ? reason : reason.first(comma) + QStringLiteral(" …");
}

} // namespace

void TowerTableModel::setSeats(std::vector<TowerPlacement> seats)
{
    beginResetModel();
    m_seats = std::move(seats);
    m_figures.clear();
    m_devices.clear();
    m_columns.resize(AlwaysThere);
    endResetModel();
}

void TowerTableModel::setFigures(std::vector<TowerFigures> figures)
{
    if (figures.size() != m_seats.size() || figures.empty()) {
        return;
    }
    m_figures = std::move(figures);
    emit dataChanged(
        index(0, Loss), index(rowCount() - 1, WorkRate),
        {Qt::DisplayRole, Qt::AccessibleTextRole, ValueRole});
}

void TowerTableModel::setDevice(const DeviceFigures& figures)
{
    const auto isSeat = [&](const TowerPlacement& seat) { return seat.device == figures.device; };
    if (std::none_of(m_seats.begin(), m_seats.end(), isSeat)) {
        return;
    }
    m_devices[figures.device] = figures;
    for (int column = AlwaysThere; column < ColumnCount; ++column) {
        if (valueOf(figures, column).isValid()) {
            showColumn(static_cast<Column>(column));
        }
    }
    if (columnCount() > AlwaysThere) {
        emit dataChanged(
            index(0, AlwaysThere), index(rowCount() - 1, columnCount() - 1),
            {Qt::DisplayRole, Qt::AccessibleTextRole, Qt::ToolTipRole, ValueRole});
    }
}

void TowerTableModel::showColumn(Column column)
{
    if (placeOf(column) >= 0) {
        return;
    }
    const auto place = std::upper_bound(m_columns.begin(), m_columns.end(), column);
    const auto number = static_cast<int>(place - m_columns.begin());
    beginInsertColumns({}, number, number);
    m_columns.insert(place, column);
    endInsertColumns();
}

int TowerTableModel::placeOf(Column column) const
{
    const auto place = std::find(m_columns.begin(), m_columns.end(), column);
    return place == m_columns.end() ? -1 : static_cast<int>(place - m_columns.begin());
}

int TowerTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_seats.size());
}

int TowerTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

TableColumn TowerTableModel::column(int number) const
{
    switch (kindOf(number)) {
    case Tower:
        return {tr("Tower"), tr("Number of the tower"), kFigureAlignment};
    case Device:
        return {tr("Device"), tr("What the tower computes on")};
    case Loss:
        return {
            tr("Loss"), tr("Mean loss over the tower's batch in its latest step"),
            kFigureAlignment};
    case WorkRate:
        return {
            tr("Examples/s"),
            tr("Examples of the tower / seconds that it worked, waiting left out"),
            kFigureAlignment};
    case Memory:
        return {
            tr("Memory"), tr("Activations, gradients and workspace of the tower"),
            kFigureAlignment};
    case DeviceMemory:
        return {
            tr("In use"), tr("Memory of the tower's device that is in use, by all programs"),
            kFigureAlignment};
    case Load:
        return {
            tr("Load"), tr("Share of the last second in which the tower's device computed"),
            kFigureAlignment};
    case Temperature:
        return {tr("Temp."), tr("Temperature of the tower's device"), kFigureAlignment};
    case Power:
        return {tr("Power"), tr("Power that the tower's device takes"), kFigureAlignment};
    default:
        return {tr("Slowed by"), tr("Why the clocks of the tower's device are lowered")};
    }
}

QVariant TowerTableModel::value(int row, int column) const
{
    const auto tower = static_cast<std::size_t>(row);
    switch (kindOf(column)) {
    case Tower:
        return row;
    case Device:
        return deviceTitle(m_seats[tower].device);
    case Loss:
        return m_figures.empty() ? QVariant() : m_figures[tower].loss;
    case WorkRate:
        return m_figures.empty() || !m_figures[tower].workRate ? QVariant()
                                                               : *m_figures[tower].workRate;
    case Memory:
        return m_seats[tower].memoryBytes == 0 ? QVariant() : m_seats[tower].memoryBytes;
    default:
        return valueOf(m_devices.value(deviceOf(row)), kindOf(column));
    }
}

QString TowerTableModel::text(int row, int column) const
{
    const QLocale locale;
    const QVariant shown = value(row, column);
    if (!shown.isValid()) {
        return tr("–", "no value yet");
    }
    switch (kindOf(column)) {
    case Loss:
        return locale.toString(shown.toDouble(), shown.toDouble() < kLargeLoss ? 'f' : 'e', 4);
    case WorkRate:
        return locale.toString(shown.toDouble(), 'f', 0);
    case Memory:
    case DeviceMemory:
        return locale.formattedDataSize(shown.toLongLong(), 1);
    case Load:
        return tr("%1 %").arg(locale.toString(kPercent * shown.toDouble(), 'f', 0));
    case Temperature:
        return tr("%1 °C").arg(locale.toString(shown.toDouble(), 'f', 0));
    case Power:
        return tr("%1 W").arg(locale.toString(shown.toDouble(), 'f', 0));
    case SlowedBy:
        return shortReason(shown.toString());
    default:
        return shown.toString();
    }
}

QVariant TowerTableModel::other(int row, int column, int role) const
{
    if (role == ColorIndexRole) {
        return row;
    }
    if (role == Qt::ToolTipRole && kindOf(column) >= AlwaysThere) {
        return deviceToolTip(row);
    }
    return {};
}

QString TowerTableModel::deviceToolTip(int row) const
{
    const DeviceFigures figures = m_devices.value(deviceOf(row));
    QStringList lines;
    if (figures.memoryUsedBytes >= 0 && figures.memoryTotalBytes >= 0) {
        const QLocale locale;
        lines.append(tr("%1: %2 of %3 are in use")
                         .arg(
                             deviceTitle(figures.device),
                             locale.formattedDataSize(figures.memoryUsedBytes, 1),
                             locale.formattedDataSize(figures.memoryTotalBytes, 1)));
    }
    if (!figures.throttleReason.isEmpty()) {
        lines.append(
            tr("%1 is slowed by: %2").arg(deviceTitle(figures.device), figures.throttleReason));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
