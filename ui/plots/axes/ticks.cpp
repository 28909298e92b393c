// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kRounding = 1e-9;
/// A logarithmic range that is shorter gets the ticks of a linear one.
constexpr double kFewestDecades = 0.8;
/// Between neighbours of a logarithmic grid.
constexpr double kLeastFactor = 1.5;

std::vector<double> multiples(double first, double last, double step)
{
    std::vector<double> values;
    const double begin = std::ceil(first / step - kRounding);
    const double end = std::floor(last / step + kRounding);
    for (double count = begin; count <= end && values.size() < 100; ++count) {
        values.push_back(count * step);
    }
    return values;
}

double niceTimeStep(double least)
{
    constexpr std::array kSteps{1.0,    2.0,    5.0,     10.0,    15.0,    30.0,
                                60.0,   120.0,  300.0,   600.0,   900.0,   1800.0,
                                3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0};
    if (least <= kSteps.front()) {
        return niceStep(least);
    }
    const auto* found =
        std::find_if(kSteps.begin(), kSteps.end(), [least](double step) { return step >= least; });
    return found != kSteps.end() ? *found : 86400.0 * niceStep(least / 86400.0);
}

/// The ends of decades from the one before `first` on: powers of ten; of times from a minute on, 1
/// and 10 minutes, 1 and 10 hours, then powers of ten of days.
std::vector<double> decadesOf(double first, double last, bool isTime)
{
    constexpr std::array kTimes{60.0, 600.0, 3600.0, 36000.0};
    const int begin = static_cast<int>(std::floor(std::log10(first) + kRounding));
    std::vector<double> decades;
    for (int exponent = begin; exponent <= begin + 40; ++exponent) {
        double value = std::pow(10.0, exponent);
        if (isTime && exponent >= 2) {
            const auto place = static_cast<std::size_t>(exponent - 2);
            value = place < kTimes.size() ? kTimes[place] : 86400.0 * std::pow(10.0, exponent - 6);
        }
        decades.push_back(value);
        if (value > last) {
            break;
        }
    }
    return decades;
}

/// Of a logarithmic grid: every decade, or every second, third … where there are many; its 2 and 5
/// fold where there is room.
std::vector<double> logarithmicPlaces(double first, double last, int most, bool isTime)
{
    const double decades = std::log10(last / first);
    const bool hasRoom = 3.0 * decades <= most;
    const auto stride =
        static_cast<std::size_t>(std::max(1.0, std::ceil(decades / std::max(1, most))));
    const std::vector<double> ends = decadesOf(first, last, isTime);
    std::vector<double> places;
    for (std::size_t i = 0; i < ends.size(); i += stride) {
        const double next = i + 1 < ends.size() ? ends[i + 1] : 10.0 * ends[i];
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * ends[i];
            // Before an end that is no power of ten, as a minute, there may be no room for it.
            const bool isWanted = factor == 1.0 || (hasRoom && kLeastFactor * value < next);
            if (isWanted && value >= first * (1.0 - kRounding)
                && value <= last * (1.0 + kRounding)) {
                places.push_back(value);
            }
        }
    }
    return places;
}

QString xLabel(XAxis axis, double value, double step)
{
    return axis == XAxis::WallTime ? axisTimeText(value, step)
           : axis == XAxis::Step   ? countText(std::llround(value))
                                   : axisText(value, step, {});
}

} // namespace

double niceStep(double least)
{
    if (!(least > 0.0) || !std::isfinite(least)) {
        return 1.0;
    }
    const double power = std::pow(10.0, std::floor(std::log10(least) + kRounding));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1.0 - kRounding)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

std::vector<Tick> linearTicks(double first, double last, int most, const ValueFormat& format)
{
    double step = niceStep((last - first) / std::max(1, most));
    std::vector<double> values = multiples(first, last, step);
    for (const double share : {1.0, 2.0, 5.0}) { // a single figure is no scale
        if (values.size() < 2 && last > first) {
            step = niceStep((last - first) / 2.0 / share);
            values = multiples(first, last, step);
        }
    }
    std::vector<Tick> ticks;
    ticks.reserve(values.size());
    for (const double value : values) {
        ticks.push_back({value, axisText(value, step, format)});
    }
    return ticks;
}

std::vector<Tick> logarithmicTicks(double first, double last, int most, const ValueFormat& format)
{
    if (std::log10(last / first) < kFewestDecades) {
        return linearTicks(first, last, most, format);
    }
    std::vector<Tick> ticks;
    for (const double value : logarithmicPlaces(first, last, most, false)) {
        const double power = std::pow(10.0, std::floor(std::log10(value) + kRounding));
        ticks.push_back({value, axisText(value, power, format)});
    }
    return ticks.size() < 2 ? linearTicks(first, last, most, format) : ticks;
}

double xTickStep(XAxis axis, double span, int most)
{
    const double least = span / std::max(1, most);
    return axis == XAxis::WallTime ? niceTimeStep(least)
           : axis == XAxis::Epoch  ? niceStep(least)
                                   : std::max(1.0, niceStep(least));
}

std::vector<Tick> xTicks(XAxis axis, double first, double last, int most, bool isLogarithmic)
{
    const bool isEven = !isLogarithmic || std::log10(last / first) < kFewestDecades;
    const double step = xTickStep(axis, last - first, most);
    const std::vector<double> places =
        isEven ? multiples(first, last, step)
               : logarithmicPlaces(first, last, most, axis == XAxis::WallTime);
    std::vector<Tick> ticks;
    for (const double value : places) {
        ticks.push_back({value, xLabel(axis, value, isEven ? step : value)});
    }
    return ticks;
}

} // namespace lockstep::ui
