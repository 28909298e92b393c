// SPDX-License-Identifier: Apache-2.0
#include "metrics/device_clocks.h"

#include "base/clock.h"
#include "base/error.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr std::size_t kWindow = 512;
/// No two quartz clocks drift apart faster: what seems to is noise of a short window.
constexpr double kMostDrift = 200e-6;

} // namespace

DeviceClocks::DeviceClocks(std::size_t devices, std::size_t reference)
    : m_reference(reference), m_clocks(devices)
{
}

void DeviceClocks::add(std::span<const Sum> devices)
{
    require(devices.size() == m_clocks.size(), "a sum of other devices than planned");
    const auto lengthOf = [](const Sum& sum) { return sum.end - sum.begin; };
    const auto shortest = static_cast<double>(lengthOf(std::ranges::min(devices, {}, lengthOf)));
    const std::int64_t time = devices[m_reference].end;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        Clock& clock = m_clocks[i];
        if (i == m_reference) {
            continue;
        }
        if (clock.window.empty()) {
            clock.base = devices[i].end - time;
        }
        clock.window.push_back(
            {time, static_cast<double>(devices[i].end - time - clock.base),
             std::max(shortest, 1.0)});
        if (clock.window.size() > kWindow) {
            clock.window.pop_front();
        }
    }
}

void DeviceClocks::update()
{
    for (Clock& clock : m_clocks) {
        if (!clock.window.empty()) {
            fit(clock);
        }
    }
}

/// Least squares, the margins as deviations, for the drift; then what the differences allow, back
/// from the newest as far as they agree.
void DeviceClocks::fit(Clock& clock)
{
    const Difference& newest = clock.window.back();
    const auto since = [&](const Difference& one) {
        return static_cast<double>(one.time - newest.time);
    };
    double weights = 0.0;
    double times = 0.0;
    double aheads = 0.0;
    for (const Difference& one : clock.window) {
        const double weight = 1.0 / (one.margin * one.margin);
        weights += weight;
        times += weight * since(one);
        aheads += weight * one.ahead;
    }
    double products = 0.0;
    double squares = 0.0;
    for (const Difference& one : clock.window) {
        const double weight = 1.0 / (one.margin * one.margin);
        const double time = since(one) - times / weights;
        products += weight * time * (one.ahead - aheads / weights);
        squares += weight * time * time;
    }
    clock.drift = squares > 0.0 ? std::clamp(products / squares, -kMostDrift, kMostDrift) : 0.0;
    double low = newest.ahead - newest.margin;
    double high = newest.ahead + newest.margin;
    for (auto one = clock.window.rbegin(); one != clock.window.rend(); ++one) {
        const double ahead = one->ahead - clock.drift * since(*one);
        const double lower = std::max(low, ahead - one->margin);
        const double upper = std::min(high, ahead + one->margin);
        if (lower > upper) {
            break;
        }
        low = lower;
        high = upper;
    }
    clock.now = {newest.time, 0.5 * (low + high), 0.5 * (high - low)};
}

std::int64_t DeviceClocks::toReference(std::size_t device, std::int64_t nanoseconds) const
{
    const Clock& clock = m_clocks[device];
    const std::int64_t near = nanoseconds - clock.base;
    return near
           - std::llround(
               clock.now.ahead + clock.drift * static_cast<double>(near - clock.now.time));
}

double DeviceClocks::uncertaintySeconds() const
{
    double worst = 0.0;
    for (const Clock& clock : m_clocks) {
        worst = std::max(worst, clock.now.margin);
    }
    return kNanosecond * worst;
}

} // namespace lockstep
