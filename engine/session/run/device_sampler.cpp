// SPDX-License-Identifier: Apache-2.0
#include "session/run/device_sampler.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/host_meter.h"

#include <pthread.h>

#include <condition_variable>
#include <memory>
#include <mutex>
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
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
        pthread_setname_np(m_thread.native_handle(), "device-sampler");
    }
}

void DeviceSampler::work(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        sample();
        stopped.wait_for(lock, stop, m_every, [] { return false; });
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
        if (const auto* accelerator = device->accelerator()) {
            devices.push_back(
                {accelerator->info().name, [accelerator] { return accelerator->reading(); }});
        }
    }
    devices.push_back({"cpu", [meter = std::make_shared<HostMeter>()] { return meter->read(); }});
    return devices;
}

} // namespace lockstep
