// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Where and how checks run. The device must outlive them.
struct CheckPlace
{
    const Device* device = nullptr;
    Precision precision = Precision::Float32;
    std::map<std::string, std::string> algorithms; ///< by layer; see ReplicaSettings
};

/// Takes what a check compared, how far off it was and how far it may be.
using CheckReport = std::function<void(const std::string& what, double error, double tolerance)>;

/// One part of the self-test, which needs no other.
struct SelftestCheck
{
    std::string name; ///< "lrn radius 4 on 8x9x32"
    std::function<void(const CheckReport&)> run;
};

/// All checks of a device in one precision, what is likeliest to fail first.
std::vector<SelftestCheck> selftestChecks(const CheckPlace& place);

} // namespace lockstep
