// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_worker.h"

#include "base/error.h"
#include "device/parameter_chunks.h"

#include <algorithm>

namespace lockstep {
namespace {

/// Values of a chunk: enough chunks for all processors of a GPU, and a block of threads each.
constexpr std::int64_t kChunk = 2048;
/// The sums of all buckets but the last run beside the backward pass.
constexpr int kMostBuckets = 4;

int bucketsFor(const MemberPlace& place)
{
    return place.members == 1 ? 1 : kMostBuckets;
}

/// See LossCheckTask.
std::uint32_t inactiveObjectives(const NetworkSpec& network)
{
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < network.objectives.size(); ++i) {
        bits |= network.objectives[i].isActive() ? 0U : 1U << i;
    }
    return bits;
}

} // namespace

DeviceWorker::DeviceWorker(const StepperSettings& settings, const MemberPlace& place)
    : m_settings(settings), m_device(*place.device), m_isAlone(place.members == 1),
      m_arena(m_device, *settings.network, settings.precision, settings.optimizer.kind),
      m_towers(
          m_device, *settings.network, m_arena.layout(),
          {place.towers, settings.shape.batchPerTower, settings.precision, place.algorithms,
           settings.input.seed, settings.mayGoOn}),
      // The gradient of an only tower is the average.
      m_gradient(settings.shape.towers == 1 ? m_towers.replica(0).gradients() : m_arena.gradient()),
      m_buckets(planBuckets(*settings.network, m_arena.layout(), bucketsFor(place))),
      m_state(m_device.allocate(sizeof(StepState)))
{
    makeRows();
    planUpdate();
    m_reportBytes = sizeof(StepReport) + resultCount() * sizeof(ObjectiveResult);
    m_reports = m_device.allocateShared(static_cast<std::size_t>(slotCount()) * m_reportBytes);
}

DeviceWorker::~DeviceWorker()
{
    try {
        stream().synchronize();
        if (m_sums) {
            m_sums->synchronize();
        }
    } catch (const Error&) {
        // A device that is lost has been reported by whoever waited for it.
    }
}

void DeviceWorker::makeRows()
{
    // The rest is for activations; a data set that leaves too little is streamed. So is one with
    // masks: its images are resized, its masks pooled, and the device only crops and distorts; nor
    // does it decode photographs.
    constexpr std::int64_t kShareForData = 4;
    const std::int64_t memory = m_device.info().memoryBytes;
    const std::optional<Shape>& mask = m_settings.network->maskShape;
    if (m_settings.input.shards.kind != ShardKind::Poisoned && !mask
        && !m_settings.dataset->info().hasMasks && !m_settings.dataset->info().isEncoded
        && ResidentRows::bytes(*m_settings.dataset) <= memory / kShareForData) {
        m_rows = std::make_unique<ResidentRows>(
            m_device, *m_settings.dataset, m_settings.input, state());
        return;
    }
    auto rows = std::make_unique<StreamedRows>(
        m_device, SlotShape{m_settings.network->inputShape(), mask, m_settings.shape.globalBatch()},
        state());
    m_streamed = rows.get();
    m_rows = std::move(rows);
}

void DeviceWorker::planUpdate()
{
    const AveragingPlan averaging = averagingOf(m_settings);
    m_towers.setWeights(averaging.towerWeights, averaging.momentWeights);
    planMoments(averaging);
    std::vector<UpdateChunk> chunks;
    for (const ParameterChunk& chunk :
         chunkParameters(m_arena.layout(), averaging.isAveraged, kChunk)) {
        const auto& parameter =
            m_settings.network->parameters[static_cast<std::size_t>(chunk.parameter)];
        chunks.push_back(
            {chunk.offset, static_cast<std::int32_t>(chunk.count),
             static_cast<float>(parameter.weightDecay),
             parameter.isStatistic() ? static_cast<float>(1.0 - parameter.decay) : 0.0F});
    }
    m_chunkCount = static_cast<std::int64_t>(chunks.size());
    m_chunks = m_device.allocate(chunks.size() * sizeof(UpdateChunk));
    m_device.copyIn(m_chunks.data(), chunks.data(), chunks.size() * sizeof(UpdateChunk));
    m_squares = m_device.allocate(chunks.size() * sizeof(double));
    const auto bytes = static_cast<std::size_t>(slotCount()) * sizeof(StepOrder);
    m_orders = m_device.allocate(bytes);
    m_hostOrders = m_device.allocateShared(bytes);
}

/// Only where the towers' moments count otherwise than their gradients: their ranges are averaged
/// once more, with weights of their own.
void DeviceWorker::planMoments(const AveragingPlan& averaging)
{
    if (averaging.momentWeights == averaging.towerWeights) {
        return;
    }
    std::vector<bool> chosen(averaging.isStatistic.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i] = averaging.isStatistic[i] && averaging.isAveraged[i];
    }
    m_moments = chunkParameters(m_arena.layout(), chosen, m_arena.layout().elements);
}

std::size_t DeviceWorker::resultCount() const
{
    return static_cast<std::size_t>(m_towers.range().count) * m_settings.network->objectives.size();
}

void DeviceWorker::connect(std::unique_ptr<Communicator> communicator)
{
    m_communicator = std::move(communicator);
    m_sums = m_device.makeStream();
    m_areSummed = m_device.makeEvent();
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        m_isAveraged.push_back(m_device.makeEvent());
    }
}

UpdateTask DeviceWorker::updateTask() const
{
    UpdateTask task;
    task.state = state();
    task.orders = reinterpret_cast<const StepOrder*>(m_orders.data());
    task.orderSlots = slotCount();
    task.chunks = reinterpret_cast<const UpdateChunk*>(m_chunks.data());
    task.chunkCount = m_chunkCount;
    task.gradient = m_gradient;
    task.weights = m_arena.weights();
    task.average = m_arena.movingAverage();
    task.operands = m_arena.operands();
    task.precision = m_settings.precision;
    task.squares = reinterpret_cast<double*>(m_squares.data());
    task.constants = constantsOf(m_settings.optimizer);
    task.optimizerState = m_arena.slotPlaces();
    return task;
}

void DeviceWorker::parametersChanged()
{
    m_arena.roundOperands();
    StepState state;
    m_device.copyIn(m_state.data(), &state, sizeof(state));
    UpdateTask task = updateTask();
    task.gradient = nullptr;
    m_device.enqueueUpdate(stream(), task);
    // Sums as every step does, so that a resumed run has the bits of one that never stopped.
    enqueueFinish();
    stream().synchronize();
    m_device.copyOut(&state, m_state.data(), sizeof(state));
    m_weightDecayLoss = state.weightDecayLoss;
}

void DeviceWorker::start(std::int64_t step, std::int64_t examplesSeen)
{
    stream().synchronize();
    StepState fresh;
    fresh.step = step;
    fresh.weightDecayLoss = m_weightDecayLoss;
    m_device.copyIn(m_state.data(), &fresh, sizeof(fresh));
    m_rows->start(step, examplesSeen);
}

void DeviceWorker::setOrders(std::int64_t first, std::int64_t count)
{
    auto* const orders = reinterpret_cast<StepOrder*>(m_hostOrders.data());
    for (std::int64_t step = first; step < first + count; ++step) {
        const UpdateSettings update = m_settings.schedule(step);
        orders[step % slotCount()] = {
            static_cast<float>(update.learningRate), static_cast<float>(1.0 - update.averageDecay),
            static_cast<float>(1.0 - update.momentDecay)};
    }
    // One copy, or two where the ring begins anew.
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t slot = (first + done) % slotCount();
        const std::int64_t steps = std::min(count - done, slotCount() - slot);
        const auto offset = static_cast<std::size_t>(slot) * sizeof(StepOrder);
        m_device.enqueueCopyIn(
            stream(), m_orders.data() + offset, m_hostOrders.data() + offset,
            static_cast<std::size_t>(steps) * sizeof(StepOrder));
        done += steps;
    }
}

void DeviceWorker::enqueue(std::int64_t first, std::int64_t count, Event& after)
{
    setOrders(first, count);
    m_rows->enqueue(stream(), first, count);
    for (std::int64_t step = first; step < first + count; ++step) {
        enqueueStep();
        m_rows->stepEnqueued(stream(), step);
    }
    stream().record(after);
}

/// forwardBackward and average, bucket by bucket, each summed over all members as soon as it is
/// there; then check, update and report.
void DeviceWorker::enqueueStep()
{
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        makePiece(bucket);
        enqueueSums(bucket);
    }
    if (!m_isAlone) {
        stream().waitFor(*m_areSummed);
        makePiece(m_buckets.size());
    }
    m_isWarm = true;
}

/// The first step runs eagerly, so that libraries load what they need; then the same calls are
/// captured once, and replayed from there on.
void DeviceWorker::makePiece(std::size_t piece)
{
    if (m_settings.isCaptured && m_isWarm && piece >= m_graphs.size()) {
        capturePiece(piece);
    }
    if (m_settings.isCaptured && m_isWarm) {
        m_graphs[piece]->launch(stream());
    } else {
        enqueuePiece(piece);
    }
}

/// A capture that fails leaves nothing behind: no call of it has run.
void DeviceWorker::capturePiece(std::size_t piece)
{
    try {
        stream().beginCapture();
        enqueuePiece(piece);
        m_graphs.push_back(stream().endCapture());
    } catch (const Error& error) {
        m_captureFailure = error.what();
        m_settings.isCaptured = false;
        try {
            static_cast<void>(stream().endCapture());
        } catch (const Error&) {
            // It had ended, or was not to be had whole; a stream that captures is none any more.
        }
    }
}

void DeviceWorker::enqueuePiece(std::size_t piece)
{
    if (piece == m_buckets.size()) {
        enqueueEnd();
        return;
    }
    const WeightsView weights = m_arena.weightsView();
    const double lossScale = 1.0 / static_cast<double>(m_settings.shape.batchPerTower);
    const GradientBucket& bucket = m_buckets[piece];
    if (piece == 0) {
        const int end = m_towers.replica(0).allLayers().end;
        m_towers.enqueueForward(weights, m_rows->input(), lossScale, {bucket.firstLayer, end});
    } else {
        m_towers.enqueueBackward(
            weights, lossScale, {bucket.firstLayer, m_buckets[piece - 1].firstLayer});
    }
    enqueueAverages(bucket);
    const TowerRange& range = m_towers.range();
    if (piece + 1 == m_buckets.size()) {
        m_device.enqueueLossCheck(
            stream(), {state(), m_towers.results(), range.count,
                       static_cast<int>(m_settings.network->objectives.size()), range.first,
                       m_isAlone ? nullptr : m_gradient + bucket.offset,
                       inactiveObjectives(*m_settings.network)});
        if (m_isAlone) {
            enqueueEnd();
        }
    }
}

void DeviceWorker::enqueueAverages(const GradientBucket& bucket)
{
    const TowerRange& range = m_towers.range();
    AverageTask task{state(),       m_towers.lanes(), range.count, range.first,
                     bucket.offset, bucket.count,     m_gradient};
    m_device.enqueueAverage(stream(), task);
    task.lanes = m_towers.momentLanes();
    for (const ParameterChunk& moments : m_moments) {
        if (moments.offset >= bucket.offset && moments.offset < bucket.offset + bucket.count) {
            task.offset = moments.offset;
            task.count = moments.count;
            m_device.enqueueAverage(stream(), task);
        }
    }
}

void DeviceWorker::enqueueSums(std::size_t bucket)
{
    if (m_isAlone) {
        return;
    }
    const GradientBucket& range = m_buckets[bucket];
    stream().record(*m_isAveraged[bucket]);
    m_sums->waitFor(*m_isAveraged[bucket]);
    m_communicator->sum(m_gradient + range.offset, range.count, *m_sums);
    if (bucket + 1 == m_buckets.size()) {
        m_sums->record(*m_areSummed);
    }
}

void DeviceWorker::enqueueEnd()
{
    if (!m_isAlone) {
        m_device.enqueueCheck(
            stream(), state(), {m_gradient, static_cast<std::size_t>(m_arena.layout().elements)},
            0);
    }
    m_device.enqueueUpdate(stream(), updateTask());
    enqueueFinish();
}

void DeviceWorker::enqueueFinish()
{
    m_device.enqueueFinish(
        stream(), {state(), reinterpret_cast<const double*>(m_squares.data()), m_chunkCount,
                   m_towers.results(), static_cast<int>(resultCount()), m_reports.data(),
                   slotCount(), m_reportBytes});
}

const StepReport& DeviceWorker::report(std::int64_t step) const
{
    const auto slot = static_cast<std::size_t>(step % slotCount());
    return *reinterpret_cast<const StepReport*>(m_reports.data() + slot * m_reportBytes);
}

std::span<const ObjectiveResult> DeviceWorker::results(std::int64_t step) const
{
    return {reinterpret_cast<const ObjectiveResult*>(&report(step) + 1), resultCount()};
}

} // namespace lockstep
