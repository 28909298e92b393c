// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_floor.h"

#include "base/error.h"
#include "network/cost.h"
#include "session/bench/bench_work.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace lockstep {
namespace {

constexpr double kTera = 1e12;
constexpr const char* kCopy = "copy";

double numberOf(const std::string& text, const std::string& part)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0.0)
        || !std::isfinite(value)) {
        fail(ErrorCode::BadInput, "ceilings: '{}' is not name=number with a number above 0", part);
    }
    return value;
}

} // namespace

DeviceCeilings knownCeilings(const DeviceInfo& device)
{
    if (device.description.find("H200") == std::string::npos) {
        return {};
    }
    // Measured on one: a bfloat16 product of 8192^3 and a copy of 8 GB. tf32 is half of bfloat16;
    // float32: 90 % of what the data sheet says of the cores outside the matrix units.
    return {
        {{Precision::Bfloat16, 790 * kTera},
         {Precision::Tf32, 395 * kTera},
         {Precision::Float32, 60 * kTera}},
        4.3 * kTera};
}

DeviceCeilings parseCeilings(const std::string& text)
{
    DeviceCeilings ceilings;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto equals = std::min(part.find('='), part.size());
        const std::string name = part.substr(0, equals);
        const double value = kTera * numberOf(part.substr(std::min(equals + 1, part.size())), part);
        if (name == kCopy) {
            ceilings.bytesPerSecond = value;
        } else {
            ceilings.flopPerSecond[precisionByName(name)] = value;
        }
    }
    return ceilings;
}

DeviceCeilings ceilingsOf(const HostCeilings& host)
{
    DeviceCeilings ceilings{{{Precision::Float32, host.float32.maximum}}, host.copy.maximum};
    if (host.bfloat16.maximum > 0.0) {
        ceilings.flopPerSecond[Precision::Bfloat16] = host.bfloat16.maximum;
    }
    return ceilings;
}

double bytesMoved(const NetworkSpec& network, const StepWork& work)
{
    std::int64_t values = 0;
    for (const NodeWork& node : nodeWork(network)) {
        values += node.forward.values + node.backward.values;
    }
    return static_cast<double>(values * work.examples) * valueBytes(work.precision)
           + updateBytes(network, work.precision);
}

std::optional<double> floorSeconds(
    const NetworkSpec& network, const StepWork& work, const DeviceCeilings& ceilings)
{
    const auto rate = ceilings.flopPerSecond.find(work.precision);
    if (rate == ceilings.flopPerSecond.end() || ceilings.bytesPerSecond <= 0.0) {
        return std::nullopt;
    }
    const auto flop = static_cast<double>(totalCost(network).trainingFlop() * work.examples);
    return flop / rate->second + bytesMoved(network, work) / ceilings.bytesPerSecond;
}

} // namespace lockstep
