// SPDX-License-Identifier: Apache-2.0
#include "session/step/accelerator_stepper.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep {
namespace {

constexpr double kNano = 1e-9;
/// Long enough that the host has little to do, short enough that charts and buttons are at once.
constexpr double kBlockSeconds = 0.008;
constexpr std::size_t kMostBlocks = 2;

std::vector<const Accelerator*> acceleratorsOf(const StepperSettings& settings)
{
    std::vector<const Accelerator*> devices;
    for (const Device* device : settings.devices) {
        devices.push_back(&dynamic_cast<const Accelerator&>(*device));
    }
    return devices;
}

void refuseExperiment(const StepperSettings& settings)
{
    if (settings.experiment.delayedTower(settings.shape.towers) >= 0) {
        fail(
            ErrorCode::BadInput,
            "experiment.delay_ms is {}, but {} runs ahead of the host, which can't put a tower to "
            "sleep: set device to cpu, or the delay to 0",
            settings.experiment.delayMilliseconds, settings.devices.front()->info().name);
    }
}

/// Towers meet in the middle of a pass only within one device.
void refuseMeetings(const StepperSettings& settings, std::size_t devices)
{
    for (const Layer& layer : settings.network->layers) {
        const auto* norm = std::get_if<Normalization>(&layer.spec);
        if (norm != nullptr && norm->mode == NormalizationMode::Synchronised && devices > 1) {
            fail(
                ErrorCode::BadInput,
                "layer '{}' has a synchronised normalisation, whose towers must share one GPU, but "
                "they are on {}: train on one GPU, or normalise by \"per_image\" or \"batch\"",
                layer.name, devices);
        }
    }
}

/// "tower 3", "towers 0 to 1".
std::string towersText(const TowerRange& range)
{
    return range.count == 1
               ? fmt::format("tower {}", range.first)
               : fmt::format("towers {} to {}", range.first, range.first + range.count - 1);
}

} // namespace

AcceleratorStepper::AcceleratorStepper(const StepperSettings& settings)
    : m_settings(settings), m_devices(acceleratorsOf(settings)),
      m_places(placeTowers(settings.shape.towers, static_cast<int>(m_devices.size())))
{
    refuseExperiment(settings);
    while (m_places.back().count == 0) {
        m_places.pop_back();
        m_devices.pop_back();
    }
    refuseMeetings(settings, m_devices.size());
    m_threads = std::make_unique<ThreadTeam>("device", static_cast<int>(m_devices.size()), false);
    makeMembers();
    connectMembers();
}

AcceleratorStepper::~AcceleratorStepper() = default;

template<class Job>
void AcceleratorStepper::onMembers(Job job)
{
    m_threads->run([&](int worker) {
        const auto number = static_cast<std::size_t>(worker);
        try {
            m_devices[number]->enterThread(1);
            job(number);
        } catch (const Error& error) {
            fail(
                error.code(), "{} ({}): {}", m_devices[number]->info().name,
                towersText(m_places[number]), error.what());
        }
    });
}

void AcceleratorStepper::makeMembers()
{
    m_members.resize(m_devices.size());
    auto algorithms = m_settings.algorithms;
    const auto make = [&](std::size_t number) {
        m_members[number] = std::make_unique<DeviceWorker>(
            m_settings, MemberPlace{
                            m_devices[number], m_places[number], static_cast<int>(m_devices.size()),
                            algorithms});
    };
    // The first one chooses for all.
    onMembers([&](std::size_t number) {
        if (number == 0) {
            make(number);
        }
    });
    for (const OpReport& op : report()) {
        algorithms[op.layer] = op.algorithm;
    }
    onMembers([&](std::size_t number) {
        if (number > 0) {
            make(number);
        }
    });
}

void AcceleratorStepper::connectMembers()
{
    if (m_members.size() == 1) {
        return;
    }
    auto communicators = m_devices.front()->connect(m_devices);
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        m_members[i]->connect(std::move(communicators[i]));
    }
}

void AcceleratorStepper::parametersChanged()
{
    const auto bytes = static_cast<std::size_t>(arena().layout().elements) * sizeof(float);
    std::vector<std::byte> values(bytes);
    const std::vector<float*> parts = arena().stateParts();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        m_devices.front()->copyOut(
            values.data(), reinterpret_cast<const std::byte*>(parts[part]), bytes);
        for (std::size_t i = 1; i < m_members.size(); ++i) {
            float* const other = m_members[i]->arena().stateParts()[part];
            m_devices[i]->copyIn(reinterpret_cast<std::byte*>(other), values.data(), bytes);
        }
    }
    onMembers([&](std::size_t number) { m_members[number]->parametersChanged(); });
}

void AcceleratorStepper::start(std::int64_t step, std::int64_t examplesSeen)
{
    forgetAhead();
    onMembers([&](std::size_t number) { m_members[number]->start(step, examplesSeen); });
    m_returned = step;
    m_enqueued = step;
    if (front().streamedRows() != nullptr) {
        PipelineSettings settings = m_settings.input;
        settings.startPosition = examplesSeen;
        settings.startStep = step;
        m_pipeline.reset();
        m_pipeline = std::make_unique<InputPipeline>(*m_settings.dataset, settings);
    }
}

void AcceleratorStepper::forgetAhead()
{
    m_blocks.clear();
    m_outcomes.clear();
}

StepOutcome AcceleratorStepper::next(std::int64_t limit)
{
    while (m_blocks.size() < kMostBlocks && m_enqueued < limit) {
        enqueueBlock(limit);
    }
    if (m_outcomes.empty()) {
        takeBlock();
    }
    StepOutcome outcome = std::move(m_outcomes.front());
    m_outcomes.pop_front();
    ++m_returned;
    return outcome;
}

void AcceleratorStepper::enqueueBlock(std::int64_t limit)
{
    Block block;
    block.first = m_enqueued;
    block.count = std::min(
        {m_blockSteps, limit - m_enqueued,
         front().slotCount() / static_cast<std::int64_t>(kMostBlocks)});
    block.isAfterIdle = m_blocks.empty();
    for (const Accelerator* device : m_devices) {
        block.ends.push_back(device->makeEvent());
    }
    takeBatches(block);
    onMembers([&](std::size_t number) {
        m_members[number]->enqueue(block.first, block.count, *block.ends[number]);
    });
    m_enqueued += block.count;
    m_blocks.push_back(std::move(block));
}

void AcceleratorStepper::takeBatches(Block& block)
{
    block.queueFilled.assign(static_cast<std::size_t>(block.count), 1.0);
    if (!m_pipeline) {
        return;
    }
    for (std::int64_t i = 0; i < block.count; ++i) {
        const BatchLease lease = m_pipeline->next();
        for (const auto& member : m_members) {
            member->streamedRows()->take(block.first + i, *lease.batch);
        }
        block.waitSeconds += lease.waitSeconds;
        block.queueFilled[static_cast<std::size_t>(i)] = lease.queueFilled;
    }
}

void AcceleratorStepper::takeBlock()
{
    require(!m_blocks.empty(), "a step was asked for beyond the limit");
    const Block block = std::move(m_blocks.front());
    m_blocks.pop_front();
    onMembers([&](std::size_t number) { block.ends[number]->wait(); });
    const std::size_t firstOutcome = m_outcomes.size();
    for (std::int64_t step = block.first; step < block.first + block.count; ++step) {
        require(front().report(step).step == step, "a device reported another step");
        m_outcomes.push_back(outcomeOf(block, step));
    }
    measure(block, firstOutcome);
}

StepOutcome AcceleratorStepper::outcomeOf(const Block& block, std::int64_t step) const
{
    StepOutcome outcome;
    const auto& objectives = m_settings.network->objectives;
    const std::size_t judge = primaryObjective(*m_settings.network);
    for (const auto& member : m_members) {
        const auto results = member->results(step);
        for (int i = 0; i < member->towers().range().count; ++i) {
            const std::size_t first = static_cast<std::size_t>(i) * objectives.size();
            TowerResult tower{0.0, results[first + judge].correct, shape().batchPerTower, {}, {}};
            for (std::size_t k = 0; k < objectives.size(); ++k) {
                tower.objectives[k] = results[first + k].lossSum;
                tower.lossSum +=
                    objectives[k].weight == 0.0 ? 0.0 : objectives[k].weight * tower.objectives[k];
            }
            outcome.towers.push_back(tower);
        }
    }
    outcome.weightDecayLoss = front().report(step).weightDecayLoss;
    outcome.fault = faultOf(step);
    const auto place = static_cast<std::size_t>(step - block.first);
    outcome.queueFilled = block.queueFilled[place];
    return outcome;
}

std::optional<StepFault> AcceleratorStepper::faultOf(std::int64_t step) const
{
    std::uint64_t code = fault::kNone;
    for (const auto& member : m_members) {
        const StepReport& report = member->report(step);
        if (report.fault != fault::kNone || report.stuckStep >= 0) {
            code = std::min(code, report.fault);
        }
    }
    if (code == fault::kNone) {
        return std::nullopt;
    }
    if (fault::isLoss(code)) {
        return StepFault{fault::towerOf(code), -1};
    }
    return StepFault{fault::towerOf(code), arena().layout().parameterAt(fault::offsetOf(code))};
}

/// The device's clock, at the end of every step, says how long each took. Before the first step
/// after a pause it stood still for us; there the host's clock has the whole, and the rest is the
/// first step's.
void AcceleratorStepper::measure(const Block& block, std::size_t firstOutcome)
{
    const auto endOf = [&](std::int64_t step) { return front().report(step).nanoseconds; };
    const std::int64_t last = block.first + block.count - 1;
    double first = static_cast<double>(endOf(block.first) - m_lastNanoseconds) * kNano;
    if (block.isAfterIdle) {
        const double others = static_cast<double>(endOf(last) - endOf(block.first)) * kNano;
        first = std::max(block.sinceBegin.seconds() - others, kNano);
    }
    m_outcomes[firstOutcome].seconds = first;
    for (std::int64_t step = block.first + 1; step <= last; ++step) {
        const auto place = firstOutcome + static_cast<std::size_t>(step - block.first);
        m_outcomes[place].seconds = static_cast<double>(endOf(step) - endOf(step - 1)) * kNano;
    }
    m_lastNanoseconds = endOf(last);
    InputIdle::Block input{
        block.waitSeconds, first, 0.0, static_cast<int>(block.count) - 1, block.isAfterIdle};
    for (std::size_t place = firstOutcome + 1; place < m_outcomes.size(); ++place) {
        input.otherSteps += m_outcomes[place].seconds;
    }
    m_outcomes[firstOutcome].inputSeconds = m_inputIdle.add(input);
    const double typical = std::max(m_outcomes.back().seconds, kNano);
    m_blockSteps = std::max<std::int64_t>(1, std::llround(std::min(kBlockSeconds / typical, 1e6)));
}

std::size_t AcceleratorStepper::memberOf(int tower) const
{
    std::size_t number = 0;
    while (tower >= m_places[number].first + m_places[number].count) {
        ++number;
    }
    return number;
}

std::vector<OpReport> AcceleratorStepper::report() const
{
    return front().towers().replica(0).report();
}

std::string AcceleratorStepper::placeOf(int tower) const
{
    return m_devices[memberOf(tower)]->info().name;
}

std::size_t AcceleratorStepper::bytesOf(int tower) const
{
    const std::size_t number = memberOf(tower);
    return m_members[number]->towers().replica(tower - m_places[number].first).bytes();
}

std::string AcceleratorStepper::captureFailure() const
{
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        if (const std::string& failure = m_members[i]->captureFailure(); !failure.empty()) {
            return fmt::format(
                "{} ({}): the step can't be captured and is enqueued anew each time, which may be "
                "slower: {}",
                m_devices[i]->info().name, towersText(m_places[i]), failure);
        }
    }
    return {};
}

void AcceleratorStepper::stopReplaying()
{
    for (const auto& member : m_members) {
        member->stopReplaying();
    }
}

std::string AcceleratorStepper::describe() const
{
    std::string text;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const TowerRange& range = m_places[i];
        text += fmt::format(
            "{}{}: {} of the towers", i == 0 ? "" : ", ", m_devices[i]->info().name, range.count);
    }
    return text
           + (front().streamedRows() == nullptr ? "; the data set lies on the device"
                                                : "; the host feeds the data set");
}

} // namespace lockstep
