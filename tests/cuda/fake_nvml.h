// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace lockstep::test {

/// What the fake of NVIDIA's management library says, and what it was asked. It knows one GPU, at
/// kFakeBusId.
struct FakeNvml
{
    bool isStarting = true;     ///< else nvmlInit_v2 fails
    bool hasUtilization = true; ///< else it is "not supported", as on a part of a GPU
    unsigned long long reasons = 0;
    std::vector<unsigned> processes; ///< that compute on it
    int starts = 0;
    int handles = 0;
};

inline constexpr const char* kFakeBusId = "0000:65:00.0";
/// Of the function in the library that returns its FakeNvml*.
inline constexpr const char* kFakeNvmlEntry = "lockstepFakeNvml";

} // namespace lockstep::test
