// SPDX-License-Identifier: Apache-2.0
#include "session/config/optimizer_config.h"

#include "base/error.h"

#include <cmath>

namespace lockstep {
namespace {

/// A share that is left of something at each step: 1 would never let go of it.
void checkDecay(const char* key, double value)
{
    if (!(value >= 0.0 && value < 1.0)) {
        fail(ErrorCode::BadInput, "{} is {}, but must be at least 0 and less than 1", key, value);
    }
}

/// A weight whose gradient is always 0 must not become 0 / 0, in float32 either.
double checkedEpsilon(double value, UpdateKind kind)
{
    constexpr double kLeast = 1e-30;
    constexpr double kMost = 1e30;
    const double usual = kind == UpdateKind::RmsProp ? 1e-10 : 1e-8;
    if (value != 0.0 && !(value >= kLeast && value <= kMost)) {
        fail(
            ErrorCode::BadInput,
            "optimizer.epsilon is {}, but must be between {} and {}, or 0 for the usual one", value,
            kLeast, kMost);
    }
    return value == 0.0 ? usual : value;
}

} // namespace

OptimizerSettings OptimizerConfig::settings() const
{
    const UpdateKind kind = updateKindByName(name);
    checkDecay("optimizer.momentum", momentum);
    checkDecay("optimizer.decay", decay);
    checkDecay("optimizer.beta1", beta1);
    checkDecay("optimizer.beta2", beta2);
    if (!std::isfinite(clipNorm) || clipNorm < 0.0) {
        fail(
            ErrorCode::BadInput, "optimizer.clip_norm is {}, but must be a number of 0 or more",
            clipNorm);
    }
    if (!std::isfinite(weightDecay)) {
        fail(
            ErrorCode::BadInput,
            "optimizer.weight_decay is {}, but must be a number of 0 or more, or -1 for the "
            "model's "
            "own",
            weightDecay);
    }
    if (kind == UpdateKind::Momentum && momentum == 0.0) {
        fail(
            ErrorCode::BadInput,
            "optimizer.momentum is 0, but momentum needs more; 0.9 is usual (sgd goes without)");
    }
    return {
        kind,
        momentum,
        isNesterov,
        decay,
        checkedEpsilon(epsilon, kind),
        beta1,
        beta2,
        clipNorm,
        kEpsilonNames.named(
            epsilonAs, "optimizer.epsilon_as is '{}', but must be tensorflow or pytorch")};
}

NetworkSpec withWeightDecay(NetworkSpec network, const OptimizerConfig& config)
{
    double before = 0.0; // of the weights that were last, in the order of the layers
    for (ParameterSpec& parameter : network.parameters) {
        if (parameter.isStatistic()) {
            continue;
        }
        const bool isNormalization = std::holds_alternative<Normalization>(
            network.layers[static_cast<std::size_t>(parameter.layer)].spec);
        if (parameter.role == ParameterRole::Weights && !isNormalization) {
            parameter.weightDecay =
                config.weightDecay >= 0.0 ? config.weightDecay : parameter.weightDecay;
            before = parameter.weightDecay;
        } else if (config.decaysAll) {
            parameter.weightDecay = before;
        }
    }
    return network;
}

} // namespace lockstep
