// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/scaling_model.h"

#include <QLocale>

#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kScalingPercent = 100.0;

/// Two decimals; what rounds to nothing has no sign.
QString towersText(double towers)
{
    constexpr double kHalfDigit = 0.005;
    return QLocale().toString(std::abs(towers) < kHalfDigit ? 0.0 : towers, 'f', 2);
}

} // namespace

void ScalingModel::setRows(std::vector<ScalingRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int ScalingModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ScalingModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn ScalingModel::column(int number) const
{
    switch (number) {
    case Towers:
        return {tr("Towers"), tr("Towers that trained in lockstep"), kFigureAlignment};
    case Speed:
        return {tr("Examples/s"), tr("Global batch ÷ step seconds"), kFigureAlignment};
    case SpeedUp:
        return {tr("Speed-up"), tr("Examples/s ÷ those of one tower"), kFigureAlignment};
    case Efficiency:
        return {tr("Efficiency"), tr("Speed-up ÷ towers"), kFigureAlignment};
    default:
        return lossColumn(number);
    }
}

TableColumn ScalingModel::lossColumn(int number) const
{
    switch (number) {
    case Lost:
        return {
            tr("Lost"),
            tr("Towers − speed-up: the work of that many towers. The columns after it say what it "
               "went into, and add up to it"),
            kFigureAlignment};
    case Input:
        return {tr("Data"), tr("The towers waited for their batch"), kFigureAlignment};
    case Averaging:
        return {tr("Averaging"), tr("Averaging and checking the gradients"), kFigureAlignment};
    case Update:
        return {tr("Update"), tr("The optimizer and the moving averages"), kFigureAlignment};
    case Waiting:
        return {tr("Waiting"), tr("For the slowest tower"), kFigureAlignment};
    default:
        return {
            tr("Rest"),
            tr("Each tower computes more slowly than one alone (shared memory, cores, clock rate), "
               "or waits for its turn. Also what the device does not report"),
            kFigureAlignment};
    }
}

std::optional<double> ScalingModel::lossOf(const ScalingRow& row, int column) const
{
    switch (column) {
    case Lost:
        return row.lost;
    case Input:
        return row.input;
    case Averaging:
        return row.averaging;
    case Update:
        return row.update;
    case Waiting:
        return row.waiting;
    default:
        return row.rest;
    }
}

QVariant ScalingModel::value(int row, int column) const
{
    const ScalingRow& shown = m_rows[static_cast<std::size_t>(row)];
    if (column == Towers) {
        return shown.towers;
    }
    if (!shown.failure.isEmpty()) {
        return {};
    }
    switch (column) {
    case Speed:
        return shown.examplesPerSecond;
    case SpeedUp:
        return shown.speedUp;
    case Efficiency:
        return shown.speedUp / shown.towers;
    default:
        break;
    }
    const auto loss = lossOf(shown, column);
    return loss && shown.towers > 1 ? QVariant(*loss) : QVariant();
}

QString ScalingModel::text(int row, int column) const
{
    const QLocale locale;
    const QVariant shown = value(row, column);
    if (!shown.isValid()) {
        return QStringLiteral("–");
    }
    switch (column) {
    case Towers:
        return locale.toString(shown.toInt());
    case Speed:
        return locale.toString(shown.toDouble(), 'f', 0);
    case Efficiency:
        return tr("%1 %").arg(locale.toString(kScalingPercent * shown.toDouble(), 'f', 1));
    case SpeedUp:
        return towersText(shown.toDouble());
    default:
        break;
    }
    const double part = shown.toDouble();
    const bool isNoise = part < 0.0 && -part <= m_rows[static_cast<std::size_t>(row)].noise;
    return isNoise ? tr("≈ 0", "within the noise") : towersText(part);
}

QVariant ScalingModel::other(int row, int column, int role) const
{
    const ScalingRow& shown = m_rows[static_cast<std::size_t>(row)];
    if (role != Qt::ToolTipRole) {
        return {};
    }
    if (!shown.failure.isEmpty()) {
        return shown.failure;
    }
    const QLocale locale;
    if (column == Speed) {
        return tr("From %1 to %2 in all turns")
            .arg(locale.toString(shown.least, 'f', 0), locale.toString(shown.greatest, 'f', 0));
    }
    return shown.sharesDevices ? tr("These towers take turns: there are fewer processors or GPUs")
                               : QVariant();
}

QString ScalingModel::toPlainText() const
{
    QStringList lines;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int number = 0; number < ColumnCount; ++number) {
            cells.append(row < 0 ? column(number).title : text(row, number));
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lockstep::ui
