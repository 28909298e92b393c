// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/cpu_device.h"
#include "device/direct_algorithm.h"
#include "device/parameter_arena.h"
#include "network/reference.h"
#include "support/compare.h"
#include "support/random_network.h"
#include "tower/replica.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace lockstep::test {

/// Puts parameters of the reference into an arena.
inline void load(const ParameterArena& arena, float* part, const ReferenceParameters& parameters)
{
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        std::ranges::transform(
            parameters[i], arena.of(part, static_cast<int>(i)).begin(),
            [](double value) { return static_cast<float>(value); });
    }
}

struct PassSettings
{
    Precision precision = Precision::Float32;
    bool isTraining = true;
    int threads = 1;
    DropoutDraw draw = {};
    std::map<std::string, std::string> algorithms = {}; ///< see ReplicaSettings
};

/// Convolutions by sums: what their rounding must not hide.
inline std::map<std::string, std::string> directConvolutions()
{
    return {{kEveryHostLayer, std::string(kDirectAlgorithm)}};
}

/// A network on the CPU with one replica that has done one pass.
class CpuPass
{
public:
    CpuPass(
        const NetworkSpec& network, const ReferenceParameters& parameters, const Examples& examples,
        const PassSettings& settings = PassSettings())
        : m_arena(onThreads(m_device, settings.threads), network, settings.precision),
          m_replica(m_device, network, m_arena.layout(), replicaSettings(examples, settings)),
          m_step(settings.draw.step)
    {
        load(m_arena, m_arena.weights(), parameters);
        run(examples);
    }

    /// With the weights that the arena holds now.
    void run(const Examples& examples)
    {
        const BatchSlice rows{examples.images, examples.labels, examples.masks, m_step};
        m_arena.roundOperands();
        m_replica.forward(m_arena.weightsView(), rows);
        if (m_replica.settings().isTraining) {
            m_replica.backward(
                m_arena.weightsView(), rows, 1.0 / static_cast<double>(examples.rows()));
        }
    }

    [[nodiscard]] const ParameterArena& arena() const { return m_arena; }
    [[nodiscard]] const Replica& replica() const { return m_replica; }
    [[nodiscard]] Replica& replica() { return m_replica; }
    [[nodiscard]] std::span<const float> gradient(std::size_t parameter) const
    {
        return m_arena.of(m_replica.gradients(), static_cast<int>(parameter));
    }
    [[nodiscard]] double lossSum(const NetworkSpec& network) const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < network.objectives.size(); ++i) {
            sum += network.objectives[i].weight * m_replica.results()[i].lossSum;
        }
        return sum;
    }

private:
    /// As a lane of a tower: sums do not depend on the machine's processors.
    static const Device& onThreads(const Device& device, int threads)
    {
        device.enterThread(threads);
        return device;
    }

    static ReplicaSettings replicaSettings(const Examples& examples, const PassSettings& settings)
    {
        ReplicaSettings replica{
            examples.rows(), settings.isTraining, settings.threads, settings.precision};
        replica.seed = settings.draw.seed;
        replica.firstRow = settings.draw.firstRow;
        replica.algorithms = settings.algorithms;
        return replica;
    }

    cpu::CpuDevice m_device;
    ParameterArena m_arena;
    Replica m_replica;
    std::int64_t m_step;
};

/// Largest errors of one pass on the CPU against the reference.
struct PassErrors
{
    double forward = 0.0;  ///< of the named outputs and the loss
    double backward = 0.0; ///< of the gradients of all parameters that a step changes
    std::string where;     ///< the worst of all

    /// For the message of a test.
    [[nodiscard]] std::string text() const
    {
        return fmt::format("forward {}, backward {}, worst in {}", forward, backward, where);
    }
    void add(double& largest, double error, const std::string& name)
    {
        if (error >= std::max(forward, backward)) {
            where = name;
        }
        largest = std::max(largest, error);
    }
};

inline PassErrors compareWithReference(
    const NetworkSpec& network, const ReferenceParameters& parameters, const Examples& examples,
    const PassSettings& settings)
{
    const Precision precision = settings.precision;
    const ReferencePass expected = referencePass(
        network, parameters, {examples.images, examples.labels, examples.masks, settings.draw},
        1.0 / static_cast<double>(examples.rows()),
        settings.isTraining ? ReferenceKind::Training : ReferenceKind::Evaluation);
    const CpuPass got(network, parameters, examples, settings);
    PassErrors errors;
    for (const NamedOutput& output : network.outputs) {
        const auto values = got.replica().output(output.name);
        const auto& wanted = expected.activations[static_cast<std::size_t>(output.layer)];
        // Values are of size 1; a few that happen to be small are sums that cancel.
        const double scale = 0.1 * std::sqrt(static_cast<double>(wanted.size()));
        errors.add(
            errors.forward, relativeError<float, double>(values, wanted, scale), output.name);
    }
    const double lossError = std::abs(got.lossSum(network) / expected.lossSum - 1.0);
    errors.add(
        errors.forward, std::isnan(lossError) ? std::numeric_limits<double>::infinity() : lossError,
        "loss");
    if (!settings.isTraining) {
        return errors;
    }
    double largest = 0.0;
    for (const auto& gradient : expected.gradients) {
        largest = std::max(largest, norm<double>(gradient));
    }
    // Beside much larger ones a small tensor is a sum of large terms that cancel, and has their
    // rounding.
    const double scale = (precision == Precision::Float32 ? 1e-2 : 0.2) * largest;
    const auto updated = network.updatedParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (updated[i]) {
            errors.add(
                errors.backward,
                relativeError<float, double>(got.gradient(i), expected.gradients[i], scale),
                network.parameters[i].name);
        }
    }
    return errors;
}

} // namespace lockstep::test
