// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lockstep::train {

/// How a run of mpirun ended.
struct MpirunEnd
{
    int status = 1;              ///< exit status; of a signal 128 + its number
    std::optional<int> lostRank; ///< as the ranks tell it, see tellLauncher()
};

/// Runs mpirun (arguments[0]) to its end and passes on what it writes. A signal to this process,
/// see interrupts(), asks all ranks to save and end; a second one has mpirun end them.
/// Error(BadInput) if it can't be started.
MpirunEnd runMpirun(const std::vector<std::string>& arguments);

} // namespace lockstep::train
