// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "base/thread_team.h"
#include "session/step/device_worker.h"
#include "session/step/stepper.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// The accelerators of a training, each with its towers and a thread of its own. One thread at a
/// time.
class WorkerTeam
{
public:
    /// Plans and allocates everything; the first device, of rank 0, chooses algorithms for all.
    /// Errors name device and towers. The settings must outlive the team.
    explicit WorkerTeam(const StepperSettings& settings);

    [[nodiscard]] std::size_t size() const { return m_workers.size(); }
    [[nodiscard]] DeviceWorker& at(std::size_t number) const { return *m_workers[number]; }
    [[nodiscard]] DeviceWorker& front() const { return *m_workers.front(); }
    [[nodiscard]] const Accelerator& device(std::size_t number) const { return *m_devices[number]; }
    /// Of all ranks.
    [[nodiscard]] const SumMembers& members() const { return m_members; }
    [[nodiscard]] ThreadTeam& threads() const { return *m_threads; }

    /// Calls `job` with the number of each worker, all at once, on their threads.
    template<class Job>
    void run(Job job) const
    {
        m_threads->run([&](int thread) {
            const auto number = static_cast<std::size_t>(thread);
            try {
                m_devices[number]->enterThread(1);
                job(number);
            } catch (const Error& error) {
                failOn(number, error);
            }
        });
    }

    /// After the parameters of the first device were written: all others get them, too.
    void parametersChanged();

    [[nodiscard]] std::vector<OpReport> report() const;
    [[nodiscard]] std::string placeOf(int tower) const;
    [[nodiscard]] std::size_t bytesOf(int tower) const;
    /// "cuda:0: 2 of the towers, cuda:1: 1 of the towers".
    [[nodiscard]] std::string describe() const;
    /// See Stepper.
    [[nodiscard]] std::string captureFailure() const;

private:
    void findMembers();
    void makeWorkers();
    void connect();
    [[nodiscard]] std::size_t workerOf(int tower) const;
    [[noreturn]] void failOn(std::size_t number, const Error& error) const;

    const StepperSettings& m_settings; ///< the stepper's
    std::vector<const Accelerator*> m_devices;
    std::vector<TowerRange> m_places;
    SumMembers m_members;
    std::unique_ptr<ThreadTeam> m_threads; ///< one for each worker, for life
    std::vector<std::unique_ptr<DeviceWorker>> m_workers;
};

} // namespace lockstep
