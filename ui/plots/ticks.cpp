// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kRounding = 1e-9;

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
    const double step = niceStep((last - first) / std::max(1, most));
    std::vector<Tick> ticks;
    for (const double value : multiples(first, last, step)) {
        ticks.push_back({value, axisText(value, step, format)});
    }
    return ticks;
}

std::vector<Tick> logarithmicTicks(double first, double last, int most, const ValueFormat& format)
{
    const double decades = std::log10(last / first);
    if (decades < 0.8) {
        return linearTicks(first, last, most, format);
    }
    const bool hasRoom = 3.0 * decades <= most;
    const double stride = std::max(1.0, std::ceil(decades / std::max(1, most)));
    std::vector<Tick> ticks;
    for (const double exponent :
         multiples(std::floor(std::log10(first)), std::log10(last), stride)) {
        const double power = std::pow(10.0, exponent);
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * power;
            const bool isWanted = factor == 1.0 || hasRoom;
            if (isWanted && value >= first * (1.0 - kRounding)
                && value <= last * (1.0 + kRounding)) {
                ticks.push_back({value, axisText(value, power, format)});
            }
        }
    }
    return ticks;
}

double xTickStep(XAxis axis, double span, int most)
{
    const double least = span / std::max(1, most);
    switch (axis) {
    case XAxis::Step:
        return std::max(1.0, niceStep(least));
    case XAxis::WallTime:
        return niceTimeStep(least);
    case XAxis::Epoch:
        break;
    }
    return niceStep(least);
}

std::vector<Tick> xTicks(XAxis axis, double first, double last, int most)
{
    const double step = xTickStep(axis, last - first, most);
    std::vector<Tick> ticks;
    for (const double value : multiples(first, last, step)) {
        if (axis == XAxis::WallTime) {
            ticks.push_back({value, axisTimeText(value, step)});
        } else if (axis == XAxis::Step) {
            ticks.push_back({value, countText(std::llround(value))});
        } else {
            ticks.push_back({value, axisText(value, step, {})});
        }
    }
    return ticks;
}

} // namespace lockstep::ui
