// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_plugin.h"

#include "base/this_program.h"
#include "device/nvidia_libraries.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace lockstep {
namespace {

constexpr const char* kLibrary = "liblockstep-cuda.so";
constexpr const char* kDriver = "libcuda.so.1";
/// For trying another build of the library, and for tests.
constexpr const char* kVariable = "LOCKSTEP_CUDA_LIBRARY";
/// It fetches what is missing of NVIDIA's.
constexpr const char* kFetch = "lockstep-fetch-cuda";

/// What to do where something is missing, by whether the program was installed, or built here.
std::string remedy()
{
    std::error_code error;
    return std::filesystem::exists(programFile().parent_path() / kFetch, error)
               ? fmt::format("run {}, which brings NVIDIA's libraries, or install them", kFetch)
               : "run \"app/run.sh devices\" in Lockstep's source folder, which fetches what is "
                 "missing and builds it";
}

std::filesystem::path findLibrary()
{
    const char* const chosen = std::getenv(kVariable);
    return chosen != nullptr ? chosen : findOwnLibrary(kLibrary);
}

/// Why dlopen failed, in the words of the loader, which name the library that is missing.
std::string_view loaderError()
{
    const char* text = dlerror();
    return text == nullptr ? "" : text;
}

std::string openFailure(const std::filesystem::path& library)
{
    const std::string_view said = loaderError();
    struct Part
    {
        std::string_view file;
        const char* advice;
    };
    for (const auto& [file, advice] :
         {Part{"libcudnn", "cuDNN 9 is not installed"}, Part{"libnccl", "NCCL 2 is not installed"},
          Part{"libcublas", "cuBLAS of CUDA 13 is not installed"}}) {
        if (said.find(file) != std::string_view::npos) {
            return fmt::format("{} ({}): {}", advice, said, remedy());
        }
    }
    return fmt::format("{} can't be opened ({})", library.string(), said);
}

CudaSearch failed(std::string reason)
{
    return {nullptr, std::move(reason)};
}

CudaSearch search()
{
    // Never closed: objects of the library live until the end.
    if (dlopen(kDriver, RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        const std::string_view said = loaderError();
        const bool isAbsent =
            said.starts_with(kDriver) && said.ends_with("No such file or directory");
        return failed(
            isAbsent ? "no NVIDIA driver was found"
                     : fmt::format("the NVIDIA driver can't be opened ({})", said));
    }
    const auto library = findLibrary();
    if (library.empty()) {
        return failed(fmt::format(
            "this build has no CUDA half ({} is not beside the program): install the package "
            "lockstep-cuda, or {}",
            kLibrary, remedy()));
    }
    openNvidiaLibraries();
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return failed(openFailure(library));
    }
    using Entry = const CudaPlugin* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(handle, CudaPlugin::kEntryPoint));
    const CudaPlugin* plugin = entry == nullptr ? nullptr : entry();
    if (plugin == nullptr || plugin->version != CudaPlugin::kVersion) {
        return failed(
            fmt::format("{} is of another version of Lockstep: {}", library.string(), remedy()));
    }
    return {plugin, ""};
}

} // namespace

const CudaSearch& cudaPlugin()
{
    static const CudaSearch found = search();
    return found;
}

} // namespace lockstep
