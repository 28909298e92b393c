// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/ranks.h"

#include <memory>

namespace lockstep {

/// What liblockstep-mpi.so offers. It is opened only by a process that a launcher of MPI started,
/// so that a training on one machine needs no MPI.
struct RanksPlugin
{
    /// Grows with every change of what crosses the border between program and library.
    static constexpr int kVersion = 1;
    /// Of the function that returns a `const RanksPlugin*`.
    static constexpr const char* kEntryPoint = "lockstepRanksPlugin";

    int version = kVersion;
    /// Error(Device) says what MPI refused.
    std::unique_ptr<Ranks> (*open)() = nullptr;
};

/// Whether mpirun, srun or another launcher of MPI started this process as one of several.
bool isRankOfSeveral();

/// The ranks that the launcher started; null: this process is the only one. Once in a process, by a
/// thread that all others are started by: it takes its share of the machine's processors.
/// Error(BadInput) says why several can't train together.
std::unique_ptr<Ranks> openRanks();

} // namespace lockstep
