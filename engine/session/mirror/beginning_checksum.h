// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace lockstep {

/// The checksum (base/crc32.h) of the first bytes of a file, by which both ends tell whether one
/// has the beginning of the other's. Error(Io) names the file if it can't be read or is shorter.
std::uint32_t beginningChecksum(const std::filesystem::path& path, std::int64_t bytes);

} // namespace lockstep
