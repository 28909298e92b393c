// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest_optimizers.h"

#include "session/selftest/selftest_trial.h"
#include "update/optimizer_reference.h"

#include <fmt/core.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr std::int64_t kSteps = 3;

/// The reference of one parameter after another, as the device keeps them.
class References
{
public:
    References(
        const NetworkSpec& network, const ParameterLayout& layout,
        const OptimizerSettings& optimizer, const std::vector<float>& weights)
        : m_network(network), m_layout(layout), m_optimizer(optimizer)
    {
        for (std::size_t i = 0; i < layout.offsets.size(); ++i) {
            m_all.emplace_back(optimizer, rangeOf(weights, i));
        }
    }

    void apply(const std::vector<float>& gradient, double learningRate)
    {
        double squares = 0.0;
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            for (const float value : rangeOf(gradient, i)) {
                squares += static_cast<double>(value) * static_cast<double>(value);
            }
        }
        const double scale = clipScale(m_optimizer, std::sqrt(squares));
        std::vector<float> scaled;
        for (const float value : gradient) {
            scaled.push_back(static_cast<float>(scale * static_cast<double>(value)));
        }
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            m_all[i].apply(rangeOf(scaled, i), m_network.parameters[i].weightDecay, learningRate);
        }
    }
    /// What `valuesOf` gives of each reference, less `base`, against `got`, less `base`.
    template<class ValuesOf>
    [[nodiscard]] double errorOf(
        const std::vector<float>& got, const std::vector<float>& base, ValuesOf valuesOf) const
    {
        std::vector<double> all;
        std::vector<double> expected;
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            const std::vector<double>& values = valuesOf(m_all[i]);
            const auto& source = m_layout.orders[i].source;
            for (std::size_t k = 0; k < values.size(); ++k) {
                if (!source.empty() && source[k] < 0) {
                    continue; // padding, whose slots begin at 0 and matter to nobody
                }
                const double from = static_cast<double>(rangeOf(base, i)[k]);
                all.push_back(static_cast<double>(rangeOf(got, i)[k]) - from);
                expected.push_back(values[k] - from);
            }
        }
        return relativeError(all, expected);
    }

private:
    [[nodiscard]] std::span<const float> rangeOf(
        const std::vector<float>& part, std::size_t parameter) const
    {
        return std::span(part).subspan(
            static_cast<std::size_t>(m_layout.offsets[parameter]),
            static_cast<std::size_t>(m_layout.counts[parameter]));
    }

    const NetworkSpec& m_network;
    const ParameterLayout& m_layout;
    OptimizerSettings m_optimizer;
    std::vector<ReferenceOptimizer> m_all;
};

} // namespace

OptimizerSettings selftestOptimizer(UpdateKind kind)
{
    OptimizerSettings settings;
    settings.kind = kind;
    settings.momentum = 0.75;
    settings.isNesterov = true;
    settings.epsilon = kind == UpdateKind::RmsProp ? 1.0 : 1e-3;
    return settings;
}

std::vector<std::pair<std::string, double>> optimizerErrors(
    const Device& device, const NetworkSpec& network, Stepper& stepper,
    const OptimizerSettings& optimizer, double learningRate)
{
    const ParameterArena& arena = stepper.arena();
    const auto begin = partOf(device, arena.layout(), arena.weights());
    References references(network, arena.layout(), optimizer, begin);
    for (std::int64_t step = 0; step < kSteps; ++step) {
        stepper.next(step + 1);
        references.apply(partOf(device, arena.layout(), stepper.averagedGradient()), learningRate);
    }
    std::vector<std::pair<std::string, double>> errors;
    errors.emplace_back(
        fmt::format("change of the weights in {} steps", kSteps),
        references.errorOf(
            partOf(device, arena.layout(), arena.weights()), begin,
            [](const ReferenceOptimizer& one) -> const auto& { return one.weights(); }));
    const std::vector<float> nothing(begin.size());
    for (std::size_t i = 0; i < arena.slotSpecs().size(); ++i) {
        errors.emplace_back(
            arena.slotSpecs()[i].name,
            references.errorOf(
                partOf(device, arena.layout(), arena.slot(i)),
                nothing, [i](const ReferenceOptimizer& one) -> const auto& {
                    return one.slot(i);
                }));
    }
    return errors;
}

} // namespace lockstep
