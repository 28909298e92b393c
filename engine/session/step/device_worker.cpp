// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_worker.h"

#include "averaging/gradient_buckets.h"
#include "base/error.h"
#include "session/step/step_order.h"

#include <algorithm>

namespace lockstep {
namespace {

/// Passes of a graph of several steps: one launch in place of eight, and a block of 8 ms has
/// several of these where steps are so short that it matters.
constexpr std::int64_t kGraphPasses = 8;

/// The sums of all buckets but the last run beside the backward pass.
int bucketsFor(const MemberPlace& place)
{
    return place.members == 1 ? 1 : kMostDeviceBuckets;
}

} // namespace

DeviceWorker::DeviceWorker(const StepperSettings& settings, const MemberPlace& place)
    : m_settings(settings), m_device(*place.device), m_isAlone(place.members == 1),
      m_arrays(m_settings, place),
      m_buckets(planBuckets(*settings.network, arena().layout(), bucketsFor(place))),
      m_rows(makeRows()), m_replay(settings.isCaptured)
{
    m_arrays.setSlots(slotCount());
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
    // does it decode photographs, erase, pad or mix.
    constexpr std::int64_t kShareForData = 4;
    const std::int64_t memory = m_device.info().memoryBytes;
    const std::optional<Shape>& mask = m_settings.network->maskShape;
    if (m_settings.input.shards.kind != ShardKind::Poisoned && !mask
        && m_settings.input.distortion.erase == 0.0 && m_settings.input.distortion.pad == 0
        && m_settings.input.distortion.mixup == 0.0 && !m_settings.dataset->info().hasMasks
        && !m_settings.dataset->info().isEncoded
        && ResidentRows::bytes(*m_settings.dataset) <= memory / kShareForData) {
        return std::make_unique<ResidentRows>(
            m_device, *m_settings.dataset, m_settings.input, reports().state());
    }
    auto rows = std::make_unique<StreamedRows>(
        m_device,
        SlotShape{
            m_settings.network->inputShape(), mask, m_settings.input.firstRow,
            m_settings.input.ownRows(), m_settings.input.distortion.mixup > 0.0},
        reports().state());
    m_streamed = rows.get();
    return rows;
}

void DeviceWorker::connect(std::unique_ptr<Communicator> communicator)
{
    m_sums = std::make_unique<DeviceSums>(m_device, stream(), std::move(communicator));
    m_arrays.towers().sumOverDevices([this](double* values, std::int64_t count) {
        m_replay.callBetween(
            [this, values, count] {
                m_sums->begin(values, count);
                m_sums->join();
            },
            stream());
    });
}

void DeviceWorker::parametersChanged()
{
    arena().roundOperands();
    m_arrays.reports().start(0, 0.0);
    UpdateTask task = m_arrays.updateTask();
    task.gradient = nullptr;
    m_device.enqueueUpdate(stream(), task);
    // Sums as every step does, so that a resumed run has the bits of one that never stopped.
    m_device.enqueueFinish(stream(), m_arrays.finishTask());
    stream().synchronize();
    m_weightDecayLoss = reports().weightDecayLoss();
}

void DeviceWorker::start(std::int64_t step, std::int64_t examplesSeen)
{
    stream().synchronize();
    m_arrays.reports().start(step, m_weightDecayLoss);
    m_rows->start(step, examplesSeen);
}

void DeviceWorker::enqueue(
    std::int64_t first, std::int64_t count, const UpdateSchedule& schedule, Event& after)
{
    enqueueOrders(first, count, schedule);
    m_rows->enqueue(stream(), first, count);
    const std::int64_t most = std::max<std::int64_t>(1, kGraphPasses / m_settings.shape.passes);
    for (m_step = first; m_step < first + count; m_step += m_stepsAtOnce) {
        m_stepsAtOnce = first + count - m_step >= most && areAlike(most) ? most : 1;
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
        *reinterpret_cast<StepOrder*>(m_arrays.orders().hostSlot(step)) = {
            static_cast<float>(update.learningRate), static_cast<float>(1.0 - update.averageDecay),
            static_cast<float>(1.0 - update.momentDecay), static_cast<float>(update.decayRate),
            static_cast<float>(update.epsilonScale)};
    }
    m_arrays.orders().enqueueCopy(stream(), first, count);
}

void DeviceWorker::passes(std::size_t bucket)
{
    const WeightsView weights = arena().weightsView();
    const double lossScale = 1.0 / static_cast<double>(m_settings.shape.batchPerTower);
    const int first = m_buckets[bucket].firstLayer;
    if (bucket == 0) {
        m_arrays.towers().enqueueEarlierPasses(weights, m_rows->input(), lossScale);
        const int end = towers().replica(0).allLayers().end;
        m_arrays.towers().enqueueForward(weights, m_rows->input(), lossScale, {first, end});
    } else {
        m_arrays.towers().enqueueBackward(
            weights, lossScale, {first, m_buckets[bucket - 1].firstLayer});
    }
    m_arrays.towers().addEarlierPasses(m_buckets[bucket].offset, m_buckets[bucket].count);
}

void DeviceWorker::average(std::size_t bucket)
{
    if (m_isAlone && hasTail()) {
        return;
    }
    stream().label("average", "");
    const auto& [offset, count, firstLayer] = m_buckets[bucket];
    AverageTask task = m_arrays.averageTask();
    task.offset = offset;
    task.count = count;
    task.begins = bucket + 1 == buckets() ? task.begins : nullptr;
    if (m_isAlone && isMeasured(m_step)) {
        enqueueMeasure(task); // in the same pass
    } else {
        m_device.enqueueAverage(stream(), task);
    }
    task.lanes = towers().momentLanes();
    task.begins = nullptr;
    for (const ParameterChunk& moments : m_arrays.statistics()) {
        if (moments.offset >= offset && moments.offset < offset + count) {
            task.offset = moments.offset;
            task.count = moments.count;
            m_device.enqueueAverage(stream(), task);
        }
    }
}

void DeviceWorker::enqueueMeasure(const AverageTask& average)
{
    m_device.enqueueMeasure(stream(), m_arrays.measureTask(average, !m_isAlone));
}

/// Beside the passes of the next bucket.
void DeviceWorker::sumOverDevices(std::size_t piece)
{
    if (m_isAlone || piece == buckets()) {
        return;
    }
    const GradientBucket& range = m_buckets[piece];
    StepStamps* const stamps = reports().stamps();
    m_sums->begin(
        m_arrays.gradient() + range.offset, range.count,
        stamps == nullptr ? nullptr : &stamps->sums[piece]);
    if (piece + 1 == buckets()) {
        m_sums->join();
    }
}

LossCheckTask DeviceWorker::lossCheckTask() const
{
    LossCheckTask task = m_arrays.lossCheckTask();
    task.poison = m_isAlone ? nullptr : m_arrays.gradient() + m_buckets.back().offset;
    return task;
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
            stream(), reports().state(),
            {m_arrays.gradient(), static_cast<std::size_t>(arena().layout().elements)}, 0);
        if (isMeasured(m_step)) {
            AverageTask average = m_arrays.averageTask();
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
    UpdateTask task = m_arrays.updateTask();
    if (isMeasured(m_step)) {
        task.sums = gradients()->sums();
    }
    m_device.enqueueUpdate(stream(), task);
}

void DeviceWorker::record()
{
    if (!hasTail()) {
        stream().label("report", "");
        m_device.enqueueFinish(stream(), m_arrays.finishTask());
        return;
    }
    stream().label("tail", "");
    TailTask task{
        m_arrays.averageTask(), towers().momentLanes(), lossCheckTask(), m_arrays.updateTask(),
        m_arrays.finishTask()};
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
    m_step = 1; // not measured, unless all are
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

} // namespace lockstep
