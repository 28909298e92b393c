// SPDX-License-Identifier: Apache-2.0
#include "base/this_program.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <system_error>

namespace lockstep {
namespace {

/// The program, or the shared library that somebody else's program uses.
std::filesystem::path fileOfThisCode()
{
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&fileOfThisCode), &info) == 0 ? "" : info.dli_fname;
}

} // namespace

std::filesystem::path programFile()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path findOwnLibrary(const char* name)
{
    std::error_code error;
    for (const auto& file : {programFile(), fileOfThisCode()}) {
        for (const char* place : {".", "../lib/lockstep", "../bin", "lockstep", "../lockstep"}) {
            const auto library = file.parent_path() / place / name;
            if (std::filesystem::exists(library, error)) {
                return library.lexically_normal();
            }
        }
    }
    return {};
}

std::string hostName()
{
    std::array<char, 256> name{};
    const bool isKnown = ::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
    return isKnown ? name.data() : "localhost";
}

} // namespace lockstep
