// SPDX-License-Identifier: Apache-2.0
#include "base/this_program.h"

#include <unistd.h>

#include <array>
#include <system_error>

namespace lockstep {

std::filesystem::path programFile()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path findOwnLibrary(const char* name)
{
    std::error_code error;
    for (const char* place : {".", "../lib/lockstep", "../bin"}) {
        const auto file = programFile().parent_path() / place / name;
        if (std::filesystem::exists(file, error)) {
            return file.lexically_normal();
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
