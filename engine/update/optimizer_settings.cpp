// SPDX-License-Identifier: Apache-2.0
#include "update/optimizer_settings.h"

#include "base/enum_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr EnumNames<UpdateKind, 5> kNames{{"sgd", "momentum", "rmsprop", "adam", "adamw"}};

bool isAdam(UpdateKind kind)
{
    return kind == UpdateKind::Adam || kind == UpdateKind::AdamW;
}

std::string constantsText(const OptimizerSettings& settings)
{
    std::string name(kNames.of(settings.kind));
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
    case UpdateKind::AdamW:
        return fmt::format(
            "{}, beta1 {}, beta2 {}, epsilon {} as {}", name, settings.beta1, settings.beta2,
            settings.epsilon, kEpsilonNames.of(settings.epsilonAs));
    }
    return name;
}

} // namespace

UpdateKind updateKindByName(const std::string& name)
{
    return kNames.named(
        name, "optimizer.name is '{}', but must be sgd, momentum, rmsprop, adam or adamw");
}

std::string toString(UpdateKind kind)
{
    return std::string(kNames.of(kind));
}

std::vector<UpdateKind> updateKinds()
{
    return {
        UpdateKind::Sgd, UpdateKind::Momentum, UpdateKind::RmsProp, UpdateKind::Adam,
        UpdateKind::AdamW};
}

UpdateConstants constantsOf(const OptimizerSettings& settings)
{
    const double squareDecay = isAdam(settings.kind) ? settings.beta2 : settings.decay;
    return {
        settings.kind,
        static_cast<float>(settings.momentum),
        static_cast<float>(1.0 - settings.beta1),
        static_cast<float>(1.0 - squareDecay),
        static_cast<float>(settings.epsilon),
        settings.isNesterov};
}

double clipScale(const OptimizerSettings& settings, double norm)
{
    constexpr double kNearly = 1e-6; // the norm may be 0
    return settings.clipNorm > 0.0 ? std::min(1.0, settings.clipNorm / (norm + kNearly)) : 1.0;
}

UpdateSettings updateAt(
    const OptimizerSettings& settings, double learningRate, double averageDecay, std::int64_t step)
{
    UpdateSettings update{learningRate, averageDecay};
    if (isAdam(settings.kind)) {
        const auto updates = static_cast<double>(step + 1);
        const double root = std::sqrt(1.0 - std::pow(settings.beta2, updates));
        update.learningRate *= root / (1.0 - std::pow(settings.beta1, updates));
        if (settings.kind == UpdateKind::AdamW) {
            update.decayRate = learningRate;
        }
        if (settings.epsilonAs == EpsilonAs::PyTorch) {
            update.epsilonScale = root;
        }
    }
    return update;
}

std::string describe(const OptimizerSettings& settings)
{
    std::string text = constantsText(settings);
    if (settings.clipNorm > 0.0) {
        text += fmt::format(", gradient clipped to {}", settings.clipNorm);
    }
    return text;
}

} // namespace lockstep
