// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// How many CPU threads each tower gets. Accelerators don't use it.
struct ThreadsPerTower
{
    int number = 0;          ///< 0: processors / towers, at least 1
    bool isMeasured = false; ///< chosen by measuring when a training starts, see measureThreads()

    /// Something else than a number: it has to be chosen.
    [[nodiscard]] bool isOpen() const { return isMeasured || number == 0; }
    bool operator==(const ThreadsPerTower&) const = default;
};

/// The word that stands for isMeasured in configurations.
inline constexpr const char* kMeasure = "measure";

} // namespace lockstep
