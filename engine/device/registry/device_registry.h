// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device_report.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// The CPU, and every GPU with what it does now; or why there is none. Does not start the GPUs, but
/// the first call may wake the driver, which takes seconds; later ones only ask what GPUs do: some
/// milliseconds. Any thread.
std::vector<DeviceReport> findDevices();

/// The devices of a run and how they were chosen.
struct DeviceChoice
{
    std::vector<std::unique_ptr<Device>> devices; ///< the CPU, or GPUs; at least one
    std::string note; ///< what `auto` fell back to, for people; empty if nothing

    [[nodiscard]] Device& first() const { return *devices.front(); }
};

/// Which of the processes that share this machine's GPUs one is: it takes its part of them.
struct GpuShare
{
    int number = 0;
    int of = 1;
};

/// Opens what `towers` towers need: "auto" takes the GPUs that can be used, one for each tower as
/// far as they reach, or else the CPU; "cpu", "cuda", "cuda:0,1" are strict and throw
/// Error(BadInput) with the reason where a device is missing.
DeviceChoice openDevices(const std::string& name, int towers, const GpuShare& share = {});
/// The first of them.
std::unique_ptr<Device> openDevice(const std::string& name);
/// What openDevice(name) would open, without starting it. Errors as there, for all devices that are
/// named; one that is gone is called what it was `before`: descriptions by name, {"cuda:3", "…"}.
DeviceInfo describeDevice(
    const std::string& name, const std::map<std::string, std::string>& before = {});

/// The devices that openDevices() takes where these GPUs can be used, in their order, which is that
/// of the towers: "auto" and "cuda" the first `towers` of them; named ones whether they are there
/// or not. Empty for a name that is not known and for "cuda" without a GPU.
std::vector<std::string> devicesFor(
    const std::string& name, int towers, const std::vector<std::string>& usableGpus);

} // namespace lockstep
