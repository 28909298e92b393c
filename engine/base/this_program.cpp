// SPDX-License-Identifier: Apache-2.0
#include "base/this_program.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <system_error>

namespace lockstep {
namespace {

/// The shared library that somebody else's program uses. Of a program the loader knows no more than
/// how it was called, which may be a name in a folder that nobody trusts: empty.
std::filesystem::path libraryOfThisCode()
{
    Dl_info info{};
    const bool isKnown = dladdr(reinterpret_cast<const void*>(&libraryOfThisCode), &info) != 0;
    const std::filesystem::path file = isKnown ? info.dli_fname : "";
    return file.is_absolute() ? file : "";
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
    for (const auto& file : {programFile(), libraryOfThisCode()}) {
        for (const char* place : {".", "../lib/lockstep", "../bin", "lockstep", "../lockstep"}) {
            const auto library = file.parent_path() / place / name;
            if (!file.empty() && std::filesystem::exists(library, error)) {
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
