// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace lockstep::test {

/// Writes the small model again with 14 classes instead of 10. Returns the file.
inline std::filesystem::path writeOtherHead(const std::filesystem::path& folder)
{
    std::ifstream small(LOCKSTEP_SOURCE_DIR "/resources/models/small.toml");
    std::string text{std::istreambuf_iterator<char>(small), std::istreambuf_iterator<char>()};
    for (const std::string key : {"classes = ", "units = "}) {
        const std::size_t at = text.find("\n" + key + "10");
        if (at == std::string::npos) {
            throw std::runtime_error("the small model has no '" + key + "10'");
        }
        text.replace(at, key.size() + 3, "\n" + key + "14");
    }
    std::filesystem::path file = folder / "fourteen.toml";
    std::ofstream(file) << text;
    return file;
}

} // namespace lockstep::test
