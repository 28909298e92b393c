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
    std::string name; ///< "cpu", "cuda"
    bool isAvailable = false;
    DeviceInfo info;    ///< of the device, when it is available
    std::string reason; ///< why it is not, when it is not
};

/// Every kind of device that Lockstep can drive, present or not.
std::vector<DeviceReport> findDevices();

/// The devices of a run and how they were chosen.
struct DeviceChoice
{
    std::unique_ptr<Device> device;
    std::string note; ///< what `auto` fell back to, for people; empty if nothing
};

/// "auto" takes what is there; "cpu", "cuda", "cuda:0,1" are strict and throw Error(BadInput) with
/// the reason where the device is missing.
DeviceChoice openDevice(const std::string& name);

} // namespace lockstep
