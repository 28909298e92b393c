// SPDX-License-Identifier: Apache-2.0
#include "session/step/step_arrays.h"

namespace lockstep {
namespace {

/// Values of a chunk: enough chunks for all processors of a GPU, and a block of threads each.
constexpr std::int64_t kChunk = 2048;

/// Bit i is set where objective i is not active, as LossCheckTask wants it.
std::uint32_t inactiveObjectives(const NetworkSpec& network)
{
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < network.objectives.size(); ++i) {
        bits |= network.objectives[i].isActive() ? 0U : 1U << i;
    }
    return bits;
}

/// None where the towers' moments count as their gradients.
std::vector<ParameterChunk> apartFromGradients(
    const ParameterLayout& layout, const AveragingPlan& averaging)
{
    if (averaging.momentWeights == averaging.towerWeights) {
        return {};
    }
    std::vector<bool> chosen(averaging.isStatistic.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i] = averaging.isStatistic[i] && averaging.isAveraged[i];
    }
    return chunkParameters(layout, chosen, layout.elements);
}

} // namespace

StepArrays::StepArrays(const StepperSettings& settings, const MemberPlace& place)
    : m_settings(settings), m_device(*place.device),
      m_arena(m_device, *settings.network, settings.precision, settings.optimizer.kind),
      m_reports(
          m_device, place.towers.count,
          static_cast<std::size_t>(settings.shape.passes) * settings.network->objectives.size(),
          settings.features.has(StepFeature::PhaseClock)),
      m_towers(
          m_device, *settings.network, m_arena.layout(), place.towers, settings.shape,
          {.precision = settings.precision,
           .seed = settings.input.seed,
           .algorithms = place.algorithms,
           .mayGoOn = settings.mayGoOn,
           .features = settings.features,
           .stamps = m_reports.towerStamps()}),
      // The gradient of an only tower is the average.
      m_gradient(settings.shape.towers == 1 ? m_towers.replica(0).gradients() : m_arena.gradient())
{
    planUpdate();
}

void StepArrays::planUpdate()
{
    const AveragingPlan averaging = averagingOf(m_settings);
    m_towers.setWeights(averaging.towerWeights, averaging.momentWeights);
    m_statistics = apartFromGradients(m_arena.layout(), averaging);
    std::vector<UpdateChunk> chunks;
    const auto parts = chunkParameters(m_arena.layout(), averaging.isAveraged, kChunk);
    for (const ParameterChunk& chunk : parts) {
        const auto& parameter =
            m_settings.network->parameters[static_cast<std::size_t>(chunk.parameter)];
        chunks.push_back(
            {chunk.offset, static_cast<std::int32_t>(chunk.count),
             static_cast<float>(parameter.weightDecay),
             parameter.isStatistic() ? static_cast<float>(1.0 - parameter.decay) : 0.0F});
    }
    m_chunkCount = std::ssize(chunks);
    m_chunks = m_device.allocate(chunks.size() * sizeof(UpdateChunk));
    m_device.copyIn(m_chunks.data(), chunks.data(), chunks.size() * sizeof(UpdateChunk));
    m_squares = m_device.allocate(chunks.size() * sizeof(double));
    if (m_settings.gradientsEverySteps > 0) {
        m_gradients = std::make_unique<DeviceGradients>(
            m_device, parts, m_towers.range().count, m_settings.gradientsEverySteps);
    }
}

void StepArrays::setSlots(std::int64_t slots)
{
    m_slots = slots;
    m_orders.emplace(m_device, slots, sizeof(StepOrder));
    m_reports.setSlots(slots);
}

AverageTask StepArrays::averageTask() const
{
    const TowerRange& range = m_towers.range();
    AverageTask task;
    task.state = m_reports.state();
    task.lanes = m_towers.lanes();
    task.laneCount = range.count;
    task.firstTower = range.first;
    task.count = m_arena.layout().elements;
    task.dst = m_gradient;
    // Where there are several they arrive before they are averaged.
    if (TowerStamps* const stamps = m_reports.towerStamps();
        stamps != nullptr && range.count == 1) {
        task.begins = &stamps->arrival;
    }
    return task;
}

MeasureTask StepArrays::measureTask(const AverageTask& average, bool isAveraged) const
{
    return {
        average, isAveraged, reinterpret_cast<const UpdateChunk*>(m_chunks.data()),
        m_gradients->sums()};
}

LossCheckTask StepArrays::lossCheckTask() const
{
    LossCheckTask task;
    task.state = m_reports.state();
    task.results = m_towers.results();
    // Every pass of a tower counts as a tower, also where a fault says which it was.
    task.towers = m_towers.range().count * m_settings.shape.passes;
    task.objectives = static_cast<int>(m_settings.network->objectives.size());
    task.firstTower = m_towers.range().first * m_settings.shape.passes;
    task.inactive = inactiveObjectives(*m_settings.network);
    return task;
}

UpdateTask StepArrays::updateTask() const
{
    UpdateTask task;
    task.state = m_reports.state();
    task.orders = m_orders->values<StepOrder>();
    task.orderSlots = m_slots;
    task.chunks = reinterpret_cast<const UpdateChunk*>(m_chunks.data());
    task.chunkCount = m_chunkCount;
    task.gradient = m_gradient;
    task.weights = m_arena.weights();
    task.average = m_arena.movingAverage();
    task.operands = m_arena.operands();
    task.squares = reinterpret_cast<double*>(m_squares.data());
    task.constants = constantsOf(m_settings.optimizer);
    task.optimizerState = m_arena.slotPlaces();
    task.clipNorm = static_cast<float>(m_settings.optimizer.clipNorm);
    if (StepStamps* const stamps = m_reports.stamps(); stamps != nullptr) {
        task.begins = &stamps->updateBegins;
    }
    return task;
}

FinishTask StepArrays::finishTask() const
{
    FinishTask task = m_reports.finishTask();
    task.squares = reinterpret_cast<const double*>(m_squares.data());
    task.chunkCount = m_chunkCount;
    task.results = m_towers.results();
    return task;
}

} // namespace lockstep
