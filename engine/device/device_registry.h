// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// What is known of one kind of device on this machine.
struct DeviceReport
{
    std::string name; ///< "cpu", "cuda:0"; "cuda" where no GPU can be used
    bool isAvailable = false;
    DeviceInfo info;    ///< of the device, when it is available
    std::string reason; ///< why it is not, when it is not
};

/// The CPU, and every GPU; or why there is none. Does not start the GPUs, but the first call may
/// wake the driver, which takes seconds; later ones know the answer. Any thread.
std::vector<DeviceReport> findDevices();

/// The devices of a run and how they were chosen.
struct DeviceChoice
{
    std::vector<std::unique_ptr<Device>> devices; ///< the CPU, or GPUs; at least one
    std::string note; ///< what `auto` fell back to, for people; empty if nothing

    [[nodiscard]] Device& first() const { return *devices.front(); }
};

/// Opens what `towers` towers need: "auto" takes the GPUs that are there, one for each tower as far
/// as they reach, or else the CPU; "cpu", "cuda", "cuda:0,1" are strict and throw Error(BadInput)
/// with the reason where a device is missing.
DeviceChoice openDevices(const std::string& name, int towers);
/// The first of them.
std::unique_ptr<Device> openDevice(const std::string& name);
/// What openDevice(name) would open, without starting it. Errors as there.
DeviceInfo describeDevice(const std::string& name);

} // namespace lockstep
