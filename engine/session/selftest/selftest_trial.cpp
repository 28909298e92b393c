// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest_trial.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

/// Where the rows of a trial are in a training.
constexpr std::int64_t kStep = 6;
constexpr std::int64_t kFirstRow = 20;

/// Sum over rows and objectives of weight * loss, as the reference counts it.
double lossSum(const NetworkSpec& network, const Replica& replica)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < network.objectives.size(); ++i) {
        sum += network.objectives[i].weight * replica.results()[i].lossSum;
    }
    return sum;
}

ReplicaSettings trained(ReplicaSettings settings)
{
    settings.isTraining = true;
    settings.firstRow = kFirstRow;
    return settings;
}

} // namespace

std::vector<float> partOf(const Device& device, const ParameterLayout& layout, const float* start)
{
    std::vector<float> values(static_cast<std::size_t>(layout.elements));
    device.copyOut(
        values.data(), reinterpret_cast<const std::byte*>(start), values.size() * sizeof(float));
    return values;
}

TrialRows::TrialRows(
    const NetworkSpec& network, std::int64_t rows, PhiloxStream random, bool areMixed)
    : images(static_cast<std::size_t>(rows * network.inputShape().elements())),
      labels(static_cast<std::size_t>(rows))
{
    std::ranges::generate(images, [&] { return static_cast<float>(random.normal()); });
    std::ranges::generate(labels, [&] {
        return static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(network.classes)));
    });
    if (network.maskShape) {
        masks.resize(static_cast<std::size_t>(rows * network.maskShape->elements()));
        std::ranges::generate(
            masks, [&] { return std::clamp(static_cast<float>(random.normal()), 0.0F, 1.0F); });
    }
    for (std::size_t row = 0; areMixed && row < labels.size(); ++row) {
        mixed.push_back({labels[labels.size() - 1 - row], random.uniform(0.5F, 1.0F)});
    }
}

Trial::Trial(
    const Device& device, NetworkSpec network, const ReplicaSettings& settings, bool areRowsMixed)
    : m_device(device), m_network(std::move(network)),
      m_rows(
          m_network, settings.examples, PhiloxStream(settings.seed, RandomPurpose::Synthetic, 0, 0),
          areRowsMixed),
      m_draw{settings.seed, kStep, kFirstRow}, m_arena(device, m_network, settings.precision),
      m_replica(device, m_network, m_arena.layout(), trained(settings))
{
    const double scale = 1.0 / static_cast<double>(settings.examples);
    m_arena.initialize(m_network, settings.seed);
    m_replica.forward(m_arena.weightsView(), m_rows.all(kStep));
    m_replica.backward(m_arena.weightsView(), m_rows.all(kStep), scale);
    m_lossSum = lossSum(m_network, m_replica);
    m_weights = partOf(device, m_arena.layout(), m_arena.weights());
    m_gradients = partOf(device, m_arena.layout(), m_replica.gradients());
    clearStatistics();
    m_reference = referencePass(
        m_network, referenceParameters(m_network, settings.seed),
        {m_rows.images, m_rows.labels, m_rows.masks, m_draw, m_rows.mixed}, scale);
}

/// What stands in the place of a statistic's gradient is not a slope of the loss.
void Trial::clearStatistics()
{
    const ParameterLayout& layout = m_arena.layout();
    for (std::size_t i = 0; i < m_network.parameters.size(); ++i) {
        if (m_network.parameters[i].isStatistic()) {
            std::fill_n(m_gradients.begin() + layout.offsets[i], layout.counts[i], 0.0F);
        }
    }
}

double Trial::outputError(const std::string& output) const
{
    const auto found = std::ranges::find(m_network.outputs, output, &NamedOutput::name);
    return relativeError(
        m_replica.output(output), m_reference.activations[static_cast<std::size_t>(found->layer)]);
}

double Trial::lossError() const
{
    return std::abs(m_lossSum - m_reference.lossSum) / std::abs(m_reference.lossSum);
}

double Trial::gradientError(int parameter) const
{
    const auto number = static_cast<std::size_t>(parameter);
    return relativeError(
        m_arena.read(m_replica.gradients(), parameter), m_reference.gradients[number]);
}

double Trial::lossAt(const std::vector<float>& weights)
{
    m_device.copyIn(
        reinterpret_cast<std::byte*>(m_arena.weights()), weights.data(),
        weights.size() * sizeof(float));
    m_arena.roundOperands();
    m_replica.forward(m_arena.weightsView(), m_rows.all(m_draw.step));
    return lossSum(m_network, m_replica) / static_cast<double>(m_rows.labels.size());
}

double Trial::directionalError()
{
    // Large enough that the loss moves by many float32 roundings.
    constexpr double kDistance = 2e-3;
    double squares = 0.0;
    for (const float gradient : m_gradients) {
        squares += static_cast<double>(gradient) * static_cast<double>(gradient);
    }
    const double slope = std::sqrt(squares);
    const auto moved = [&](double distance) {
        std::vector<float> weights(m_gradients.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = static_cast<float>(
                m_weights[i] + distance / slope * static_cast<double>(m_gradients[i]));
        }
        return weights;
    };
    const auto quotient = [&](double distance) {
        return (lossAt(moved(distance)) - lossAt(moved(-distance))) / (2.0 * distance);
    };
    // The loss's third derivative enters with the square of the distance: two of them leave it out.
    const double difference = (4.0 * quotient(kDistance / 2.0) - quotient(kDistance)) / 3.0;
    return std::abs(difference - slope) / slope;
}

} // namespace lockstep
