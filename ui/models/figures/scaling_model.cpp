// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/scaling_model.h"

#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

const QString kUnknown = QStringLiteral("–");

/// Two decimals; what rounds to nothing has no sign.
QString towersText(const QVariant& value)
{
    constexpr double kHalfDigit = 0.005;
    const double towers = value.toDouble();
    return QLocale().toString(std::abs(towers) < kHalfDigit ? 0.0 : towers, 'f', 2);
}

/// A figure of the towers that could be measured.
template<class Figure>
TableColumn<ScalingRow> figureColumn(
    const QString& title, const QString& toolTip, Figure figure, const CellFormat& format)
{
    return {
        title, toolTip,
        [figure](const ScalingRow& row) {
            return row.failure.isEmpty() ? QVariant(std::invoke(figure, row)) : QVariant();
        },
        format};
}

/// A part of what is lost; one tower alone loses nothing.
TableColumn<ScalingRow> lossColumn(
    const QString& title, const QString& toolTip,
    const std::function<std::optional<double>(const ScalingRow&)>& loss)
{
    const auto value = [loss](const ScalingRow& row) {
        return row.failure.isEmpty() && row.towers > 1 ? known(loss(row)) : QVariant();
    };
    const auto text = [value](const ScalingRow& row) {
        const QVariant lost = value(row);
        const double part = lost.toDouble();
        const bool isNoise = part < 0.0 && -part <= row.noise;
        return !lost.isValid() ? kUnknown
               : isNoise       ? ScalingModel::tr("≈ 0", "within the noise")
                               : towersText(part);
    };
    return {title, toolTip, value, decimals(2), text};
}

} // namespace

ScalingModel::ScalingModel()
    : RowModel(
        {{tr("Towers"), tr("Towers that trained in lockstep"), &ScalingRow::towers, wholeNumbers()},
         figureColumn(
             tr("Examples/s"), tr("Global batch ÷ step seconds"), &ScalingRow::examplesPerSecond,
             decimals(0)),
         figureColumn(
             tr("Speed-up"), tr("Examples/s ÷ those of one tower"), &ScalingRow::speedUp,
             figureFormat(towersText)),
         figureColumn(
             tr("Efficiency"), tr("Speed-up ÷ towers"),
             [](const ScalingRow& row) { return row.speedUp / row.towers; }, percents(1)),
         lossColumn(
             tr("Lost"),
             tr("Towers − speed-up: the work of that many towers. The columns after it say what it "
                "went into, and add up to it"),
             &ScalingRow::lost),
         lossColumn(tr("Data"), tr("The towers waited for their batch"), &ScalingRow::input),
         lossColumn(
             tr("Averaging"), tr("Averaging and checking the gradients"), &ScalingRow::averaging),
         lossColumn(tr("Update"), tr("The optimizer and the moving averages"), &ScalingRow::update),
         lossColumn(tr("Waiting"), tr("For the slowest tower"), &ScalingRow::waiting),
         lossColumn(
             tr("Rest"),
             tr("Each tower computes more slowly than one alone (shared memory, cores, clock "
                "rate), or waits for its turn. Also what the device does not report"),
             &ScalingRow::rest)},
        {}, kUnknown)
{
}

QVariant ScalingModel::other(int row, int column, int role) const
{
    const ScalingRow& shown = at(row);
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
        for (int column = 0; column < columnCount(); ++column) {
            cells.append(row < 0 ? head(column).title : text(row, column));
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lockstep::ui
