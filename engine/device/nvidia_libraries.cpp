// SPDX-License-Identifier: Apache-2.0
#include "device/nvidia_libraries.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace lockstep {
namespace {

/// In the order in which they need each other; cuDNN opens the last one itself.
constexpr const char* kLibraries[] = {
    "libcublasLt.so.13", "libcudnn.so.9", "libnccl.so.2", "libnvrtc.so.13"};

/// Folders to look in, the likeliest first, as patterns of glob(3).
std::vector<std::string> places()
{
    const auto from = [](const char* variable, const char* otherwise) {
        const char* const value = std::getenv(variable);
        return std::string(value == nullptr || *value == '\0' ? otherwise : value);
    };
    const std::string packages = "/python3*/{site,dist}-packages/nvidia/*/lib/";
    std::vector<std::string> folders{
        from("XDG_DATA_HOME", "~/.local/share") + "/lockstep/cuda/lib/", "/usr/local/cuda/lib64/"};
    for (const std::string& prefix :
         {from("VIRTUAL_ENV", "/nowhere"), std::string("~/.local"), std::string("/usr/local"),
          std::string("/usr")}) {
        folders.push_back(prefix + "/lib" + packages);
    }
    return folders;
}

bool openIn(const std::string& place, const char* library)
{
    glob_t found{};
    const int status = glob((place + library).c_str(), GLOB_TILDE | GLOB_BRACE, nullptr, &found);
    bool isOpen = false;
    for (std::size_t i = 0; status == 0 && !isOpen && i < found.gl_pathc; ++i) {
        isOpen = dlopen(found.gl_pathv[i], RTLD_LAZY | RTLD_LOCAL) != nullptr;
    }
    globfree(&found);
    return isOpen;
}

} // namespace

void openNvidiaLibraries()
{
    for (const char* const library : kLibraries) {
        if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) != nullptr) {
            continue;
        }
        for (const std::string& place : places()) {
            if (openIn(place, library)) {
                break;
            }
        }
    }
}

} // namespace lockstep
