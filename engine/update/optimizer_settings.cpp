// SPDX-License-Identifier: Apache-2.0
#include "update/optimizer_settings.h"

#include "base/error.h"

#include <fmt/core.h>

#include <cmath>

namespace lockstep {

UpdateKind updateKindByName(const std::string& name)
{
    for (const UpdateKind kind : updateKinds()) {
        if (toString(kind) == name) {
            return kind;
        }
    }
    fail(
        ErrorCode::BadInput, "optimizer.name is '{}', but must be sgd, momentum, rmsprop or adam",
        name);
}

std::string toString(UpdateKind kind)
{
    switch (kind) {
    case UpdateKind::Sgd:
        break;
    case UpdateKind::Momentum:
        return "momentum";
    case UpdateKind::RmsProp:
        return "rmsprop";
    case UpdateKind::Adam:
        return "adam";
    }
    return "sgd";
}

std::vector<UpdateKind> updateKinds()
{
    return {UpdateKind::Sgd, UpdateKind::Momentum, UpdateKind::RmsProp, UpdateKind::Adam};
}

UpdateConstants constantsOf(const OptimizerSettings& settings)
{
    const double squareDecay = settings.kind == UpdateKind::Adam ? settings.beta2 : settings.decay;
    return {
        settings.kind,
        static_cast<float>(settings.momentum),
        static_cast<float>(1.0 - settings.beta1),
        static_cast<float>(1.0 - squareDecay),
        static_cast<float>(settings.epsilon),
        settings.isNesterov};
}

double rateOf(const OptimizerSettings& settings, double learningRate, std::int64_t step)
{
    if (settings.kind != UpdateKind::Adam) {
        return learningRate;
    }
    const auto updates = static_cast<double>(step + 1);
    return learningRate * std::sqrt(1.0 - std::pow(settings.beta2, updates))
           / (1.0 - std::pow(settings.beta1, updates));
}

std::string describe(const OptimizerSettings& settings)
{
    std::string name = toString(settings.kind);
    switch (settings.kind) {
    case UpdateKind::Sgd:
        break;
    case UpdateKind::Momentum:
        return fmt::format(
            "{} {}{}", name, settings.momentum, settings.isNesterov ? ", Nesterov's" : "");
    case UpdateKind::RmsProp:
        return fmt::format(
            "{}, decay {}, momentum {}, epsilon {}", name, settings.decay, settings.momentum,
            settings.epsilon);
    case UpdateKind::Adam:
        return fmt::format(
            "{}, beta1 {}, beta2 {}, epsilon {}", name, settings.beta1, settings.beta2,
            settings.epsilon);
    }
    return name;
}

} // namespace lockstep
