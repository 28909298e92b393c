// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_worker.h"

#include "averaging/gradient_buckets.h"
#include "base/error.h"
#include "session/step/step_order.h"

namespace lockstep {
namespace {

/// Values of a chunk: enough chunks for all processors of a GPU, and a block of threads each.
constexpr std::int64_t kChunk = 2048;
/// Steps of a graph of several: launching the next one takes an eighth of what it took, and a block
/// of 8 ms has several of these where steps are so short that it matters.
constexpr std::int64_t kGraphSteps = 8;

/// The sums of all buckets but the last run beside the backward pass.
int bucketsFor(const MemberPlace& place)
{
    return place.members == 1 ? 1 : kMostDeviceBuckets;
}

/// Bit i is set where objective i is not active, as LossCheckTask wants it.
std::uint32_t inactiveObjectives(const NetworkSpec& network)
{
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < network.objectives.size(); ++i) {
        bits |= network.objectives[i].isActive() ? 0U : 1U << i;
    }
    return bits;
}

/// Of a step: StepStamps and those of the towers; none without the feature.
DeviceMemory makeStamps(const StepperSettings& settings, const MemberPlace& place)
{
    return settings.features.has(StepFeature::PhaseClock) ? place.device->allocate(
               sizeof(StepStamps)
               + static_cast<std::size_t>(place.towers.count) * sizeof(TowerStamps))
                                                          : DeviceMemory();
}

} // namespace

DeviceWorker::DeviceWorker(const StepperSettings& settings, const MemberPlace& place)
    : m_settings(settings), m_device(*place.device), m_isAlone(place.members == 1),
      m_arena(m_device, *settings.network, settings.precision, settings.optimizer.kind),
      m_stamps(makeStamps(settings, place)),
      m_towers(
          m_device, *settings.network, m_arena.layout(), place.towers,
          {.examples = settings.shape.batchPerTower,
           .precision = settings.precision,
           .syncTowers = settings.shape.towers,
           .seed = settings.input.seed,
           .algorithms = place.algorithms,
           .mayGoOn = settings.mayGoOn,
           .features = settings.features,
           .stamps = towerStampsOnDevice()}),
      // The gradient of an only tower is the average.
      m_gradient(settings.shape.towers == 1 ? m_towers.replica(0).gradients() : m_arena.gradient()),
      m_buckets(planBuckets(*settings.network, m_arena.layout(), bucketsFor(place))),
      m_state(m_device.allocate(sizeof(StepState))), m_rows(makeRows()),
      m_orders(m_device, slotCount(), sizeof(StepOrder)), m_replay(settings.isCaptured)
{
    planUpdate();
    m_reportBytes = sizeof(StepReport) + resultCount() * sizeof(ObjectiveResult) + m_stamps.bytes();
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

std::unique_ptr<RowSource> DeviceWorker::makeRows()
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
        return std::make_unique<ResidentRows>(
            m_device, *m_settings.dataset, m_settings.input, state());
    }
    auto rows = std::make_unique<StreamedRows>(
        m_device,
        SlotShape{
            m_settings.network->inputShape(), mask, m_settings.input.firstRow,
            m_settings.input.ownRows()},
        state());
    m_streamed = rows.get();
    return rows;
}

void DeviceWorker::planUpdate()
{
    const AveragingPlan averaging = averagingOf(m_settings);
    m_towers.setWeights(averaging.towerWeights, averaging.momentWeights);
    planMoments(averaging);
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
    m_chunkCount = static_cast<std::int64_t>(chunks.size());
    m_chunks = m_device.allocate(chunks.size() * sizeof(UpdateChunk));
    m_device.copyIn(m_chunks.data(), chunks.data(), chunks.size() * sizeof(UpdateChunk));
    m_squares = m_device.allocate(chunks.size() * sizeof(double));
    if (m_settings.gradientsEverySteps > 0) {
        m_gradients = std::make_unique<DeviceGradients>(
            m_device, parts, m_towers.range().count, m_settings.gradientsEverySteps);
    }
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
    m_isThere = m_device.makeEvent();
    m_areSummed = m_device.makeEvent();
    m_towers.sumOverDevices([this](double* values, std::int64_t count) {
        m_replay.callBetween(
            [this, values, count] {
                beginSum();
                m_communicator->sum(values, count, *m_sums);
                waitForSums();
            },
            stream());
    });
}

UpdateTask DeviceWorker::updateTask() const
{
    UpdateTask task;
    task.state = state();
    task.orders = m_orders.values<StepOrder>();
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
    task.begins = stampsOnDevice() == nullptr ? nullptr : &stampsOnDevice()->updateBegins;
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
    m_device.enqueueFinish(stream(), finishTask());
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

void DeviceWorker::enqueue(
    std::int64_t first, std::int64_t count, const UpdateSchedule& schedule, Event& after)
{
    enqueueOrders(first, count, schedule);
    m_rows->enqueue(stream(), first, count);
    for (m_step = first; m_step < first + count; m_step += m_stepsAtOnce) {
        m_stepsAtOnce =
            first + count - m_step >= kGraphSteps && areAlike(kGraphSteps) ? kGraphSteps : 1;
        makeStep(*this);
    }
    stream().record(after);
}

/// Whether the next `count` steps are the same work again and again, with nothing of the host in
/// between: a streamed step gives its rows back.
bool DeviceWorker::areAlike(std::int64_t count) const
{
    for (std::int64_t step = m_step; step < m_step + count; ++step) {
        if (isMeasured(step)) {
            return false;
        }
    }
    return m_isAlone && m_streamed == nullptr && m_settings.features.has(StepFeature::SeveralSteps);
}

void DeviceWorker::enqueueOrders(
    std::int64_t first, std::int64_t count, const UpdateSchedule& schedule)
{
    for (std::int64_t step = first; step < first + count; ++step) {
        const UpdateSettings update = schedule(step);
        *reinterpret_cast<StepOrder*>(m_orders.hostSlot(step)) = {
            static_cast<float>(update.learningRate), static_cast<float>(1.0 - update.averageDecay),
            static_cast<float>(1.0 - update.momentDecay)};
    }
    m_orders.enqueueCopy(stream(), first, count);
}

void DeviceWorker::passes(std::size_t bucket)
{
    const WeightsView weights = m_arena.weightsView();
    const double lossScale = 1.0 / static_cast<double>(m_settings.shape.batchPerTower);
    const int first = m_buckets[bucket].firstLayer;
    if (bucket == 0) {
        const int end = m_towers.replica(0).allLayers().end;
        m_towers.enqueueForward(weights, m_rows->input(), lossScale, {first, end});
    } else {
        m_towers.enqueueBackward(weights, lossScale, {first, m_buckets[bucket - 1].firstLayer});
    }
}

AverageTask DeviceWorker::averageTask() const
{
    const TowerRange& range = m_towers.range();
    // Where there are several they arrive before they are averaged.
    const bool isStamped = stampsOnDevice() != nullptr && range.count == 1;
    return {state(),     m_towers.lanes(),
            range.count, range.first,
            0,           m_arena.layout().elements,
            m_gradient,  isStamped ? &towerStampsOnDevice()->arrival : nullptr};
}

void DeviceWorker::average(std::size_t bucket)
{
    if (m_isAlone && hasTail()) {
        return;
    }
    stream().label("average", "");
    const auto& [offset, count, firstLayer] = m_buckets[bucket];
    AverageTask task = averageTask();
    task.offset = offset;
    task.count = count;
    task.begins = bucket + 1 == buckets() ? task.begins : nullptr;
    if (m_isAlone && isMeasured(m_step)) {
        enqueueMeasure(task); // in the same pass
    } else {
        m_device.enqueueAverage(stream(), task);
    }
    task.lanes = m_towers.momentLanes();
    task.begins = nullptr;
    for (const ParameterChunk& moments : m_moments) {
        if (moments.offset >= offset && moments.offset < offset + count) {
            task.offset = moments.offset;
            task.count = moments.count;
            m_device.enqueueAverage(stream(), task);
        }
    }
}

void DeviceWorker::enqueueMeasure(const AverageTask& average)
{
    m_device.enqueueMeasure(
        stream(), {average, !m_isAlone, reinterpret_cast<const UpdateChunk*>(m_chunks.data()),
                   m_gradients->sums()});
}

/// Beside the passes of the next bucket.
void DeviceWorker::sumOverDevices(std::size_t piece)
{
    if (m_isAlone || piece == buckets()) {
        return;
    }
    const GradientBucket& range = m_buckets[piece];
    beginSum();
    stampSum(&SumStamps::begin, piece);
    m_communicator->sum(m_gradient + range.offset, range.count, *m_sums);
    stampSum(&SumStamps::end, piece);
    if (piece + 1 == buckets()) {
        waitForSums();
    }
}

void DeviceWorker::stampSum(std::int64_t SumStamps::*moment, std::size_t bucket)
{
    if (stampsOnDevice() != nullptr) {
        m_device.enqueueStamp(*m_sums, &(stampsOnDevice()->sums[bucket].*moment));
    }
}

/// The sums' stream goes on where this one is.
void DeviceWorker::beginSum()
{
    stream().record(*m_isThere);
    m_sums->waitFor(*m_isThere);
}

void DeviceWorker::waitForSums()
{
    m_sums->record(*m_areSummed);
    stream().waitFor(*m_areSummed);
}

LossCheckTask DeviceWorker::lossCheckTask() const
{
    const TowerRange& range = m_towers.range();
    return {
        state(),
        m_towers.results(),
        range.count,
        static_cast<int>(m_settings.network->objectives.size()),
        range.first,
        m_isAlone ? nullptr : m_gradient + m_buckets.back().offset,
        inactiveObjectives(*m_settings.network)};
}

/// Of several devices each has to know before the sum, by which the others get to know.
void DeviceWorker::checkLosses()
{
    if (!m_isAlone || !hasTail()) {
        stream().label("check", "");
        m_device.enqueueLossCheck(stream(), lossCheckTask());
    }
}

/// Averages of the towers of one device were checked as they were made.
void DeviceWorker::checkGradient()
{
    if (!m_isAlone && !hasTail()) {
        stream().label("check", "");
        m_device.enqueueCheck(
            stream(), state(), {m_gradient, static_cast<std::size_t>(m_arena.layout().elements)},
            0);
        if (isMeasured(m_step)) {
            AverageTask average = averageTask();
            average.begins = nullptr; // that was before the sum
            enqueueMeasure(average);
        }
    }
}

void DeviceWorker::update()
{
    if (hasTail()) {
        return;
    }
    stream().label("update", "");
    UpdateTask task = updateTask();
    if (isMeasured(m_step)) {
        task.sums = m_gradients->sums();
    }
    m_device.enqueueUpdate(stream(), task);
}

FinishTask DeviceWorker::finishTask() const
{
    return {
        state(),
        reinterpret_cast<const double*>(m_squares.data()),
        m_chunkCount,
        m_towers.results(),
        static_cast<int>(resultCount()),
        m_reports.data(),
        slotCount(),
        m_reportBytes,
        reinterpret_cast<const std::int64_t*>(m_stamps.data()),
        static_cast<int>(m_stamps.bytes() / sizeof(std::int64_t))};
}

void DeviceWorker::record()
{
    if (!hasTail()) {
        stream().label("report", "");
        m_device.enqueueFinish(stream(), finishTask());
        return;
    }
    stream().label("tail", "");
    TailTask task{
        averageTask(), m_towers.momentLanes(), lossCheckTask(), updateTask(), finishTask()};
    if (!m_isAlone) { // both were done before the sum
        task.average.laneCount = 0;
        task.average.begins = nullptr;
        task.losses.towers = 0;
    }
    m_device.enqueueTail(stream(), task);
}

void DeviceWorker::giveRowsBack()
{
    m_rows->stepEnqueued(stream(), m_step);
    m_replay.stepEnqueued(variant());
    if (variant() == StepReplay::Plain) {
        m_replay.stepEnqueued(StepReplay::Several); // which need the same of the libraries
    }
}

std::vector<GraphNode> DeviceWorker::capturedNodes()
{
    std::vector<GraphNode> nodes;
    const auto add = [&](const StepGraph& graph) {
        const std::size_t first = nodes.size();
        for (GraphNode& node : graph.nodes()) {
            for (std::size_t& before : node.after) {
                before += first;
            }
            if (node.after.empty() && first > 0) {
                node.after.push_back(first - 1); // one graph ends before the next begins
            }
            nodes.push_back(std::move(node));
        }
    };
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
        for (const auto& part : m_replay.captured([&] { makePiece(*this, piece); }, stream())) {
            add(*part.graph);
        }
    }
    return nodes;
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

TowerMoments DeviceWorker::moments(std::int64_t step, int index) const
{
    const auto* const stamps =
        reinterpret_cast<const StepStamps*>(results(step).data() + resultCount());
    return {0, reinterpret_cast<const TowerStamps*>(stamps + 1)[index], *stamps};
}

} // namespace lockstep
