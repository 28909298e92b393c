// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "device/registry/host_ceilings.h"
#include "network/network_spec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lockstep {

/// What a device reaches at best.
struct DeviceCeilings
{
    std::map<Precision, double> flopPerSecond; ///< of a large matrix product
    double bytesPerSecond = 0.0; ///< of a large copy, those read and those written; 0: unknown
};

/// Of the devices that we have figures of; empty for others.
DeviceCeilings knownCeilings(const DeviceInfo& device);

/// Those that were measured.
DeviceCeilings ceilingsOf(const HostCeilings& host);

/// "bfloat16=790,tf32=395,copy=4.3": rates in TFLOP/s, the copy in TB/s. Error(BadInput) names the
/// part that can't be read.
DeviceCeilings parseCeilings(const std::string& text);

/// The work of one step on the device that has the most of it.
struct StepWork
{
    std::int64_t examples = 0;
    Precision precision = Precision::Float32;
};

/// Bytes that a step moves at least where every op is a kernel of its own: those of nodeWork(), and
/// of the update.
double bytesMoved(const NetworkSpec& network, const StepWork& work);

/// Seconds that a step takes at least: its matrix work at the device's rate, then its bytes. Empty
/// where a ceiling is unknown. Fused ops move fewer bytes, and what stays in a cache costs less, so
/// a very good step may come below.
std::optional<double> floorSeconds(
    const NetworkSpec& network, const StepWork& work, const DeviceCeilings& ceilings);

} // namespace lockstep
