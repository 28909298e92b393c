// SPDX-License-Identifier: Apache-2.0
#include "session/run/device_sampler.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/host_meter.h"

#include <pthread.h>

#include <memory>
#include <utility>

namespace lockstep {
namespace {

bool tellsAnything(const DeviceReading& reading)
{
    return reading.memoryUsedBytes >= 0 || reading.memoryTotalBytes >= 0 || reading.load >= 0.0
           || reading.temperature >= 0.0 || reading.powerWatts >= 0.0
           || reading.processMemoryBytes >= 0 || !reading.throttleReason.empty();
}

} // namespace

DeviceSampler::DeviceSampler(
    std::vector<SampledDevice> devices, std::chrono::milliseconds every,
    std::function<void(DeviceReadingRecord)> take)
    : m_devices(std::move(devices)), m_every(every), m_take(std::move(take))
{
    if (!m_devices.empty()) {
        m_thread = std::thread([this] { work(); });
        pthread_setname_np(m_thread.native_handle(), "device-sampler");
    }
}

DeviceSampler::~DeviceSampler()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isStopped = true;
        m_stopped.notify_one();
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void DeviceSampler::work()
{
    std::unique_lock lock(m_mutex);
    while (!m_isStopped) {
        lock.unlock();
        sample();
        lock.lock();
        m_stopped.wait_for(lock, m_every, [this] { return m_isStopped; });
    }
}

void DeviceSampler::sample() const
{
    for (const SampledDevice& device : m_devices) {
        try {
            const double time = secondsSince1970();
            const DeviceReading reading = device.read();
            if (tellsAnything(reading)) {
                m_take(
                    {time, 0, device.name, reading.memoryUsedBytes, reading.memoryTotalBytes,
                     reading.load, reading.temperature, reading.powerWatts, reading.throttleReason,
                     reading.processMemoryBytes});
            }
        } catch (const Error&) {
            // A device that can't be asked now says nothing; whether it is lost, its steps tell.
        }
    }
}

std::vector<SampledDevice> sampledDevices(const DeviceChoice& choice)
{
    std::vector<SampledDevice> devices;
    for (const auto& device : choice.devices) {
        if (const auto* accelerator = dynamic_cast<const Accelerator*>(device.get())) {
            devices.push_back(
                {accelerator->info().name, [accelerator] { return accelerator->reading(); }});
        }
    }
    devices.push_back({"cpu", [meter = std::make_shared<HostMeter>()] { return meter->read(); }});
    return devices;
}

} // namespace lockstep
