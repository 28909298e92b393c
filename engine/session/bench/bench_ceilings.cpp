// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_ceilings.h"

#include "session/bench/bench_work.h"

#include <algorithm>

namespace lockstep {
namespace {

/// Processors that the towers use.
int threadsOf(const TowerShape& shape)
{
    const std::int64_t threads = std::int64_t{shape.towers} * shape.threadsPerTower;
    return static_cast<int>(std::min<std::int64_t>(threads, ThreadTeam::processors()));
}

} // namespace

CeilingMeter::CeilingMeter(const BenchTrial& trial, const TrainingSession& session)
    : m_measuresOne(trial.settings.isProfiled), m_all(trial.ceilings)
{
    if (session.plan().devices.first().worksOnHost() && !m_all) {
        m_threads = threadsOf(session.stepper().shape());
    }
}

void CeilingMeter::measure()
{
    if (m_threads == 0) {
        return;
    }
    if (!m_all) {
        m_all.emplace();
    }
    m_all->add(measureHostCeilings(m_threads));
    if (m_measuresOne) {
        m_one.add(measureHostCeilings(1));
    }
}

StepWork workOf(const BenchTrial& trial, const TrainingSession& session)
{
    const TowerShape& shape = session.stepper().shape();
    const auto devices = static_cast<std::int64_t>(session.plan().devices.devices.size());
    const std::int64_t towers = (shape.towers + devices - 1) / devices;
    return {towers * shape.batchPerTower, precisionByName(trial.config.precision)};
}

DeviceCeilings ceilingsFor(
    const BenchTrial& trial, const TrainingSession& session,
    const std::optional<HostCeilings>& measured)
{
    if (trial.settings.ceilings) {
        return *trial.settings.ceilings;
    }
    if (measured && measured->threads == threadsOf(session.stepper().shape())) {
        return ceilingsOf(*measured);
    }
    return knownCeilings(session.plan().devices.first().info());
}

void compare(
    BenchResult& result, const NetworkSpec& network, const StepWork& work,
    const DeviceCeilings& ceilings)
{
    if (const auto floor = floorSeconds(network, work, ceilings)) {
        result.floorMilliseconds = kMilliseconds * *floor;
    }
    const auto rate = ceilings.flopPerSecond.find(work.precision);
    if (rate != ceilings.flopPerSecond.end()) {
        result.ceilingShare = kGiga * result.gigaflopsPerSecond / rate->second;
    }
}

} // namespace lockstep
