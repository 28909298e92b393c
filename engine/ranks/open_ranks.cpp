// SPDX-License-Identifier: Apache-2.0
#include "ranks/open_ranks.h"

#include "base/core_groups.h"
#include "base/error.h"
#include "base/this_program.h"

#include <dlfcn.h>
#include <sched.h>

#include <array>
#include <cstdlib>
#include <filesystem>

namespace lockstep {
namespace {

constexpr const char* kLibrary = "liblockstep-mpi.so";
constexpr const char* kRemedy =
    "install Open MPI (libopenmpi-dev) and build Lockstep again, or start it without a launcher";

/// How many processes the launcher says that there are: Open MPI, MPICH and Intel MPI (Hydra),
/// srun, whose batch scripts are a step of one task.
constexpr std::array kSizes{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

std::filesystem::path findLibrary()
{
    auto library = findOwnLibrary(kLibrary);
    if (library.empty()) {
        fail(
            ErrorCode::BadInput,
            "a launcher started several processes, but this build has no MPI half ({} is not "
            "beside the program): {}",
            kLibrary, kRemedy);
    }
    return library;
}

/// As the launcher says; 1: there is none.
int launchedProcesses()
{
    for (const char* name : kSizes) {
        const char* const size = std::getenv(name);
        if (size != nullptr && std::atoi(size) > 1) {
            return std::atoi(size);
        }
    }
    return 1;
}

/// Where the launcher left several ranks of a machine the same processors, each takes a part of
/// them: their threads would all be bound to the first ones.
void takeShareOfProcessors(Ranks& ranks)
{
    cpu_set_t own;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    const auto all = gathered(ranks, own);
    int index = 0;
    int count = 0;
    for (int rank = 0; rank < ranks.size(); ++rank) {
        const auto number = static_cast<std::size_t>(rank);
        if (ranks.hostOf(rank) == ranks.hostOf(ranks.rank()) && CPU_EQUAL(&all[number], &own)) {
            index += rank < ranks.rank() ? 1 : 0;
            ++count;
        }
    }
    CPU_ZERO(&own);
    for (const int processor : shareOfProcessors(usableProcessors(), index, count)) {
        CPU_SET(processor, &own);
    }
    sched_setaffinity(0, sizeof own, &own); // refused: as before
}

} // namespace

bool isRankOfSeveral()
{
    return launchedProcesses() > 1;
}

std::unique_ptr<Ranks> openRanks()
{
    if (!isRankOfSeveral()) {
        return nullptr;
    }
    const auto library = findLibrary();
    // Never closed: MPI lives until the end.
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const said = dlerror();
        fail(
            ErrorCode::BadInput, "{} can't be opened ({}): {}", library.string(),
            said == nullptr ? "" : said, kRemedy);
    }
    using Entry = const RanksPlugin* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(handle, RanksPlugin::kEntryPoint));
    const RanksPlugin* const plugin = entry == nullptr ? nullptr : entry();
    if (plugin == nullptr || plugin->version != RanksPlugin::kVersion) {
        fail(
            ErrorCode::BadInput, "{} is of another version of Lockstep: {}", library.string(),
            kRemedy);
    }
    auto ranks = plugin->open();
    if (const int launched = launchedProcesses(); ranks->size() != launched) {
        fail(
            ErrorCode::BadInput,
            "the launcher started {} processes, but {} knows of {}: use the launcher of this MPI, "
            "or with Slurm srun --mpi=pmix",
            launched, ranks->library(), ranks->size());
    }
    takeShareOfProcessors(*ranks);
    return ranks;
}

} // namespace lockstep
