// SPDX-License-Identifier: Apache-2.0
#include "base/user_folder.h"

#include <cstdlib>

namespace lockstep {

std::filesystem::path userFolder(const char* variable, const std::filesystem::path& below)
{
    const auto absolutePathFrom = [](const char* name) {
        const char* value = std::getenv(name);
        const std::filesystem::path path(value != nullptr ? value : "");
        return path.is_absolute() ? path : std::filesystem::path();
    };
    if (auto folder = absolutePathFrom(variable); !folder.empty()) {
        return folder;
    }
    const auto home = absolutePathFrom("HOME");
    return home.empty() ? home : home / below;
}

} // namespace lockstep
