// SPDX-License-Identifier: Apache-2.0
#include "session/config/optimizer_config.h"

#include "base/error.h"

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
    const double usual = kind == UpdateKind::Adam ? 1e-8 : 1e-10;
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
    if (kind == UpdateKind::Momentum && momentum == 0.0) {
        fail(
            ErrorCode::BadInput,
            "optimizer.momentum is 0, but momentum needs more; 0.9 is usual (sgd goes without)");
    }
    return {kind, momentum, isNesterov, decay, checkedEpsilon(epsilon, kind), beta1, beta2};
}

} // namespace lockstep
