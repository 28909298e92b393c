// SPDX-License-Identifier: Apache-2.0
#include "session/bench_floor.h"

#include "base/error.h"
#include "network/cost.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace lockstep {
namespace {

constexpr double kTera = 1e12;
constexpr const char* kCopy = "copy";

/// What the passes of one op touch, in values.
struct OpTraffic
{
    bool hasParameters = false; ///< weights' gradient reads src and the gradient of dst again
    bool needsSrc = false;      ///< backward reads src
    bool needsDst = false;      ///< backward reads dst, or an index in its place
};

OpTraffic trafficOf(const LayerSpec& spec)
{
    struct Visitor
    {
        OpTraffic operator()(const Input& /*spec*/) const { return {}; }
        OpTraffic operator()(const Conv2d& conv) const
        {
            return {true, true, conv.activation != Activation::None};
        }
        OpTraffic operator()(const Dense& dense) const
        {
            return {true, true, dense.activation != Activation::None};
        }
        OpTraffic operator()(const MaxPool& /*spec*/) const { return {false, false, true}; }
        OpTraffic operator()(const Lrn& /*spec*/) const { return {false, true, false}; }
    };
    return std::visit(Visitor{}, spec);
}

/// Values that one example moves through a layer, forward and backward.
std::int64_t valuesMoved(const NetworkSpec& network, std::size_t number)
{
    const auto hasGradient = network.layersWithGradient();
    const Layer& layer = network.layers[number];
    const OpTraffic traffic = trafficOf(layer.spec);
    const std::int64_t dst = layer.shape.elements();
    std::int64_t src = 0;
    std::int64_t diffSrc = 0;
    for (const LayerId input : layer.inputs) {
        const auto place = static_cast<std::size_t>(input);
        src += network.layers[place].shape.elements();
        diffSrc += hasGradient[place] ? network.layers[place].shape.elements() : 0;
    }
    std::int64_t values = src + dst;
    if (!hasGradient[number]) {
        return values;
    }
    values += diffSrc + (traffic.needsSrc ? src : 0) + (traffic.needsDst ? dst : 0);
    const int readsOfDiffDst = (traffic.hasParameters ? 1 : 0) + (diffSrc > 0 ? 1 : 0);
    return values + readsOfDiffDst * dst;
}

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

double bytesMoved(const NetworkSpec& network, const StepWork& work)
{
    constexpr double kFloatBytes = 4.0;
    constexpr double kHalfBytes = 2.0;
    constexpr double kPasses = 5.0; ///< gradient read; weights, moving average read and written
    const bool isHalf = work.precision == Precision::Bfloat16;
    std::int64_t values = 0;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        values += valuesMoved(network, i);
    }
    const auto ofExamples = static_cast<double>(values * work.examples);
    // The update writes the rounded copy too.
    const double ofParameter = kPasses * kFloatBytes + (isHalf ? kHalfBytes : 0.0);
    return ofExamples * (isHalf ? kHalfBytes : kFloatBytes)
           + ofParameter * static_cast<double>(network.parameterElements());
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
