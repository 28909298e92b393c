// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace lockstep::test {

/// Folder of the real data sets that are not part of the repository, or of `name` in it.
inline std::filesystem::path testData(const std::filesystem::path& name)
{
    const char* folder = std::getenv("LOCKSTEP_TEST_DATA");
    return std::filesystem::path(folder != nullptr ? folder : LOCKSTEP_TEST_DATA_DEFAULT) / name;
}

} // namespace lockstep::test
