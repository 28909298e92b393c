// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lockstep {

/// The SHA-256 (FIPS 180-4) of a file's content as 64 lower-case hexadecimal digits. `onBytes` is
/// called with the number of bytes read so far, about once a megabyte; what it throws is passed on.
/// Throws Error(Io) if the file can't be read.
std::string sha256OfFile(
    const std::filesystem::path& path, const std::function<void(std::int64_t)>& onBytes);

} // namespace lockstep
