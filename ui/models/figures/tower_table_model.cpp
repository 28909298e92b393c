// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/tower_table_model.h"

#include "models/engine_text.h"

#include <QLocale>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// From here on a loss is a run that diverges: its size counts, not its digits.
constexpr double kLargeLoss = 1e5;

QString lossText(const QVariant& loss)
{
    return QLocale().toString(loss.toDouble(), loss.toDouble() < kLargeLoss ? 'f' : 'e', 4);
}

CellFormat inUnit(const QString& pattern)
{
    return figureFormat([pattern](const QVariant& value) {
        return pattern.arg(QLocale().toString(value.toDouble(), 'f', 0));
    });
}

/// The first of several reasons: a column has no room for more.
QString firstReason(const QString& reason)
{
    const qsizetype comma = reason.indexOf(QLatin1Char(','));
    return comma < 0 ? reason : reason.first(comma) + QStringLiteral(" …");
}

QString deviceToolTip(const DeviceFigures& figures)
{
    QStringList lines;
    if (figures.memoryUsedBytes >= 0 && figures.memoryTotalBytes >= 0) {
        const QLocale locale;
        lines.append(TowerTableModel::tr("%1: %2 of %3 are in use")
                         .arg(
                             deviceTitle(figures.device),
                             locale.formattedDataSize(figures.memoryUsedBytes, 1),
                             locale.formattedDataSize(figures.memoryTotalBytes, 1)));
    }
    if (!figures.throttleReason.isEmpty()) {
        lines.append(TowerTableModel::tr("%1 is slowed by: %2")
                         .arg(deviceTitle(figures.device), figures.throttleReason));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

TowerTableModel::TowerTableModel()
    : RowModel(
        {{tr("Tower"), tr("Number of the tower"), &TowerRow::number, wholeNumbers()},
         {tr("Device"), tr("What the tower computes on"),
          [](const TowerRow& row) { return deviceTitle(row.seat.device); }},
         {tr("Loss"), tr("Mean loss over the tower's batch in its latest step"),
          [](const TowerRow& row) { return row.figures ? known(row.figures->loss) : QVariant(); },
          figureFormat(lossText)},
         {tr("Examples/s"),
          tr("Examples of the tower / seconds of the latest steps: all towers together make the "
             "throughput"),
          [](const TowerRow& row) { return row.figures ? known(row.figures->rate) : QVariant(); },
          rates()},
         {tr("Memory"), tr("Activations, gradients and workspace of the tower"),
          [](const TowerRow& row) {
              return row.seat.memoryBytes == 0 ? QVariant() : QVariant(row.seat.memoryBytes);
          },
          dataSizes()},
         {tr("In use"), tr("Memory of the tower's device that is in use, by all programs"),
          [](const TowerRow& row) { return told(row.device.memoryUsedBytes); }, dataSizes()},
         {tr("Load"), tr("Share of the last second in which the tower's device computed"),
          [](const TowerRow& row) { return told(row.device.load); }, percents(0)},
         {tr("Temp."), tr("Temperature of the tower's device"),
          [](const TowerRow& row) { return told(row.device.temperature); }, inUnit(tr("%1 °C"))},
         {tr("Power"), tr("Power that the tower's device takes"),
          [](const TowerRow& row) { return told(row.device.powerWatts); }, inUnit(tr("%1 W"))},
         {tr("Slowed by"),
          tr("Why the clocks of the tower's device are lowered"),
          [](const TowerRow& row) {
              const QString& reason = row.device.throttleReason;
              return reason.isEmpty() ? QVariant() : QVariant(reason);
          },
          {[](const QVariant& reason) { return firstReason(reason.toString()); }}}},
        {}, tr("–", "no value yet"))
{
}

void TowerTableModel::setSeats(std::vector<TowerPlacement> seats)
{
    std::vector<TowerRow> rows;
    for (TowerPlacement& seat : seats) {
        rows.push_back({static_cast<int>(rows.size()), std::move(seat), {}, {}});
    }
    m_shown.resize(AlwaysThere);
    setRows(std::move(rows));
}

void TowerTableModel::setFigures(std::vector<TowerFigures> figures)
{
    if (figures.size() != m_rows.size() || figures.empty()) {
        return;
    }
    for (std::size_t tower = 0; tower < figures.size(); ++tower) {
        m_rows[tower].figures = figures[tower];
    }
    tellChanged(Loss, Rate, {Qt::DisplayRole, Qt::AccessibleTextRole, ValueRole});
}

void TowerTableModel::setDevice(const DeviceFigures& figures)
{
    for (TowerRow& row : m_rows) {
        if (row.seat.device != figures.device) {
            continue;
        }
        row.device = figures;
        for (int kind = AlwaysThere; kind < ColumnCount; ++kind) {
            if (m_columns[static_cast<std::size_t>(kind)].value(row).isValid()) {
                showColumn(static_cast<Column>(kind));
            }
        }
    }
    if (columnCount() > AlwaysThere) {
        tellChanged(
            AlwaysThere, columnCount() - 1,
            {Qt::DisplayRole, Qt::AccessibleTextRole, Qt::ToolTipRole, ValueRole});
    }
}

void TowerTableModel::showColumn(Column column)
{
    const auto place = std::ranges::lower_bound(m_shown, column);
    if (place != m_shown.end() && *place == column) {
        return;
    }
    const auto number = static_cast<int>(place - m_shown.begin());
    beginInsertColumns({}, number, number);
    m_shown.insert(place, column);
    endInsertColumns();
}

int TowerTableModel::placeOf(Column column) const
{
    const auto place = std::ranges::find(m_shown, column);
    return place == m_shown.end() ? -1 : static_cast<int>(place - m_shown.begin());
}

int TowerTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

const TableColumn<TowerRow>& TowerTableModel::column(int number) const
{
    return RowModel::column(m_shown[static_cast<std::size_t>(number)]);
}

QVariant TowerTableModel::other(int row, int column, int role) const
{
    if (role == ColorIndexRole) {
        return row;
    }
    return role == Qt::ToolTipRole && column >= AlwaysThere ? deviceToolTip(at(row).device)
                                                            : QVariant();
}

} // namespace lockstep::ui
