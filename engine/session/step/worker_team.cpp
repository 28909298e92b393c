// SPDX-License-Identifier: Apache-2.0
#include "session/step/worker_team.h"

#include "ranks/ranks.h"
#include "session/config/run_config.h"

#include <fmt/core.h>

#include <numeric>
#include <utility>

namespace lockstep {
namespace {

std::vector<const Accelerator*> acceleratorsOf(const StepperSettings& settings)
{
    std::vector<const Accelerator*> devices;
    for (const Device* device : settings.devices) {
        devices.push_back(device->accelerator());
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

/// The own towers, over the own devices.
std::vector<TowerRange> placesOf(const StepperSettings& settings, std::size_t devices)
{
    const TowerRange own = settings.share.of(settings.shape.towers);
    std::vector<TowerRange> places = placeTowers(own.count, static_cast<int>(devices));
    for (TowerRange& place : places) {
        place.first += own.first;
    }
    return places;
}

} // namespace

WorkerTeam::WorkerTeam(const StepperSettings& settings)
    : m_settings(settings), m_devices(acceleratorsOf(settings)),
      m_places(placesOf(settings, m_devices.size()))
{
    refuseExperiment(settings);
    while (m_places.back().count == 0) {
        m_places.pop_back();
        m_devices.pop_back();
    }
    findMembers();
    m_threads = std::make_unique<ThreadTeam>("device", static_cast<int>(m_devices.size()), false);
    makeWorkers();
    connect();
}

void WorkerTeam::findMembers()
{
    const auto own = static_cast<int>(m_devices.size());
    m_members.all = own;
    if (Ranks* const ranks = m_settings.share.ranks; ranks != nullptr) {
        const std::vector<int> devices = gathered(*ranks, own);
        m_members.all = std::accumulate(devices.begin(), devices.end(), 0);
        m_members.firstOwn = std::accumulate(devices.begin(), devices.begin() + ranks->rank(), 0);
    }
}

void WorkerTeam::failOn(std::size_t number, const Error& error) const
{
    fail(
        error.code(), "{} ({}): {}", m_devices[number]->info().name, towersText(m_places[number]),
        error.what());
}

void WorkerTeam::makeWorkers()
{
    m_workers.resize(m_devices.size());
    Ranks* const ranks = m_settings.share.ranks;
    auto algorithms = m_settings.algorithms;
    const auto make = [&](std::size_t number) {
        m_workers[number] = std::make_unique<DeviceWorker>(
            m_settings,
            MemberPlace{m_devices[number], m_places[number], m_members.all, algorithms});
    };
    const auto takeChosen = [&] {
        for (const OpReport& op : report()) {
            if (!op.algorithm.empty()) { // else it does nothing, or another op does it
                algorithms[op.layer] = op.algorithm;
            }
        }
    };
    // The first one chooses for all, of all ranks.
    const bool isChooser = m_settings.share.isFirst();
    if (isChooser) {
        run([&](std::size_t number) {
            if (number == 0) {
                make(number);
            }
        });
        takeChosen();
    }
    if (ranks != nullptr) {
        algorithms = parseAlgorithms(textFromFirst(*ranks, algorithmsText(algorithms)));
    }
    run([&](std::size_t number) {
        if (number > 0 || !isChooser) {
            make(number);
        }
    });
}

void WorkerTeam::connect()
{
    if (m_members.all == 1) {
        return;
    }
    Ranks* const ranks = m_settings.share.ranks;
    const Accelerator& first = *m_devices.front();
    if (m_settings.share.isFirst()) {
        m_members.key = first.makeSumKey();
    }
    if (ranks != nullptr) {
        m_members.key = textFromFirst(*ranks, m_members.key);
    }
    auto communicators = first.connect(m_devices, m_members);
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        m_workers[i]->connect(std::move(communicators[i]));
    }
}

void WorkerTeam::parametersChanged()
{
    const auto bytes = static_cast<std::size_t>(front().arena().layout().elements) * sizeof(float);
    std::vector<std::byte> values(bytes);
    const std::vector<float*> parts = front().arena().stateParts();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        m_devices.front()->copyOut(
            values.data(), reinterpret_cast<const std::byte*>(parts[part]), bytes);
        for (std::size_t i = 1; i < m_workers.size(); ++i) {
            float* const other = m_workers[i]->arena().stateParts()[part];
            m_devices[i]->copyIn(reinterpret_cast<std::byte*>(other), values.data(), bytes);
        }
    }
    run([&](std::size_t number) { m_workers[number]->parametersChanged(); });
}

std::size_t WorkerTeam::workerOf(int tower) const
{
    std::size_t number = 0;
    while (tower >= m_places[number].first + m_places[number].count) {
        ++number;
    }
    return number;
}

std::vector<OpReport> WorkerTeam::report() const
{
    return front().towers().replica(0).report();
}

std::string WorkerTeam::placeOf(int tower) const
{
    return m_devices[workerOf(tower)]->info().name;
}

std::size_t WorkerTeam::bytesOf(int tower) const
{
    const std::size_t number = workerOf(tower);
    return m_workers[number]->towers().bytes(tower - m_places[number].first);
}

std::string WorkerTeam::captureFailure() const
{
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
        if (const std::string& failure = m_workers[i]->replay().failure(); !failure.empty()) {
            return fmt::format(
                "{} ({}): the step can't be captured and is enqueued anew each time, which may be "
                "slower: {}",
                m_devices[i]->info().name, towersText(m_places[i]), failure);
        }
    }
    return {};
}

std::string WorkerTeam::describe() const
{
    std::string text;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        text += fmt::format(
            "{}{}: {} of the towers", i == 0 ? "" : ", ", m_devices[i]->info().name,
            m_places[i].count);
    }
    return text;
}

} // namespace lockstep
