// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMinute = 60.0;
constexpr double kHour = 3600.0;
constexpr double kDay = 86400.0;
constexpr int kMostDecimals = 4;
/// Below, a number is written with its power of ten.
constexpr double kSmallest = 1e-6;

/// The sign that is as wide as a plus.
QString withMinus(QString number)
{
    return number.replace(QLatin1Char('-'), QChar(0x2212));
}

QString text(const char* source)
{
    return QCoreApplication::translate("lockstep::ui::NumberText", source);
}

bool isMultiple(double step, double unit)
{
    return std::abs(std::remainder(step, unit)) < 1e-9 * unit;
}

/// In lower case, as the field's logs have it, whatever case this version of Qt takes.
QString exponentText(double value, char format, int precision)
{
    return withMinus(QLocale().toString(value, format, precision).toLower());
}

/// After the point, so that multiples of the step are written in full; `most` + 1 if that is not
/// enough.
int decimalsOf(double step, int most)
{
    int decimals = 0;
    for (double unit = 1.0; decimals <= most && !isMultiple(step, unit); unit /= 10.0) {
        ++decimals;
    }
    return decimals;
}

} // namespace

QString numberText(double value, const ValueFormat& format)
{
    const QLocale locale;
    if (std::isnan(value)) {
        return text(QT_TRANSLATE_NOOP("lockstep::ui::NumberText", "not a number"));
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    }
    const double scaled = value * format.factor;
    const double size = std::abs(scaled);
    const bool isPlain = scaled == 0.0 || (size >= kSmallest && size < 1e9);
    const int usual = format.decimalsOf != nullptr ? format.decimalsOf(scaled) : format.decimals;
    const bool isSmall = isPlain && scaled != 0.0 && size < std::pow(10.0, -usual);
    const int decimals = isSmall ? 1 - static_cast<int>(std::floor(std::log10(size)))
                                 : usual; // two digits that count
    return withMinus(
        (isPlain ? locale.toString(scaled, 'f', decimals) : exponentText(scaled, 'e', 2))
        + format.suffix);
}

QString countText(qint64 count)
{
    return QLocale().toString(count);
}

QString durationText(double seconds)
{
    struct Unit
    {
        double seconds;
        const char* name;
    };
    static constexpr Unit kUnits[] = {
        {kDay, QT_TRANSLATE_NOOP("lockstep::ui::NumberText", "d")},
        {kHour, QT_TRANSLATE_NOOP("lockstep::ui::NumberText", "h")},
        {kMinute, QT_TRANSLATE_NOOP("lockstep::ui::NumberText", "min")},
        {1.0, QT_TRANSLATE_NOOP("lockstep::ui::NumberText", "s")}};
    const QLocale locale;
    if (!std::isfinite(seconds)) {
        return QStringLiteral("–");
    }
    const double whole = seconds < 10.0 ? seconds : std::round(seconds);
    if (whole < kMinute) {
        return locale.toString(whole, 'f', seconds < 10.0 ? 2 : 0)
               + text(QT_TRANSLATE_NOOP("lockstep::ui::NumberText", " s"));
    }
    const Unit* unit = kUnits;
    while (whole < unit->seconds) {
        ++unit;
    }
    const Unit* const smaller = unit + 1;
    return QStringLiteral("%1 %2 %3 %4")
        .arg(
            locale.toString(std::floor(whole / unit->seconds), 'f', 0), text(unit->name),
            locale.toString(std::floor(std::fmod(whole, unit->seconds) / smaller->seconds), 'f', 0),
            text(smaller->name));
}

QString axisText(double value, double step, const ValueFormat& format)
{
    const QLocale locale;
    double scaled = value * format.factor;
    double scaledStep = step * format.factor;
    QString unit = format.suffix;
    const double size = std::max(std::abs(scaled), scaledStep);
    if (size >= 1e10) { // in millions it would need five digits
        return exponentText(scaled, 'g', 3);
    }
    if (size >= 1e5) {
        const bool isMillions = size >= 1e6;
        scaled /= isMillions ? 1e6 : 1e3;
        scaledStep /= isMillions ? 1e6 : 1e3;
        unit = (isMillions ? QStringLiteral(" M") : QStringLiteral(" k")) + unit;
    }
    const int decimals = decimalsOf(scaledStep, kMostDecimals);
    if (decimals > kMostDecimals) {
        return exponentText(scaled, 'g', 3) + unit;
    }
    return scaled == 0.0 ? QStringLiteral("0") + format.suffix
                         : withMinus(locale.toString(scaled, 'f', decimals) + unit);
}

QString axisTimeText(double seconds, double step)
{
    if (seconds == 0.0) {
        return QStringLiteral("0");
    }
    if (isMultiple(step, kHour)) {
        return axisText(seconds / kHour, step / kHour, {1.0, 0, QStringLiteral(" h")});
    }
    if (isMultiple(step, kMinute) && seconds < 2 * kHour) {
        return axisText(seconds / kMinute, step / kMinute, {1.0, 0, QStringLiteral(" min")});
    }
    if (!isMultiple(step, kMinute) && seconds < 2 * kMinute) {
        return axisText(seconds, step, {1.0, 0, QStringLiteral(" s")});
    }
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const bool hasHours = isMultiple(step, kMinute);
    const qint64 larger = whole / (hasHours ? 3600 : 60);
    const qint64 smaller = hasHours ? whole % 3600 / 60 : whole % 60;
    return QStringLiteral("%1:%2 %3")
        .arg(larger)
        .arg(smaller, 2, 10, QLatin1Char('0'))
        .arg(hasHours ? QStringLiteral("h") : QStringLiteral("min"));
}

} // namespace lockstep::ui
