// SPDX-License-Identifier: Apache-2.0
#include "ranks/open_ranks.h"

#include "base/error.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lockstep {
namespace {

constexpr const char* kLibrary = "liblockstep-mpi.so";
constexpr const char* kRemedy =
    "install Open MPI (libopenmpi-dev) and build Lockstep again, or start it without a launcher";

/// How many processes the launcher says that there are: Open MPI, MPICH and Intel MPI (Hydra),
/// srun.
constexpr std::array kSizes{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

std::filesystem::path findLibrary()
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {".", "../lib/lockstep", "../bin"}) {
        const auto file = folder / place / kLibrary;
        if (std::filesystem::exists(file, error)) {
            return file.lexically_normal();
        }
    }
    fail(
        ErrorCode::BadInput,
        "a launcher started several processes, but this build has no MPI half ({} is not beside "
        "the program): {}",
        kLibrary, kRemedy);
}

} // namespace

bool isRankOfSeveral()
{
    for (const char* name : kSizes) {
        const char* const size = std::getenv(name);
        if (size != nullptr && std::atoi(size) > 1) {
            return true;
        }
    }
    return false;
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
    return plugin->open();
}

} // namespace lockstep
