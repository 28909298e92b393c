// SPDX-License-Identifier: Apache-2.0
#include "base/crc32.h"

#include <fmt/format.h>
#include <zlib.h>

namespace lockstep {

std::uint32_t checksum(std::span<const std::byte> bytes)
{
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    return static_cast<std::uint32_t>(crc32_z(0, data, bytes.size()));
}

std::string checksumText(std::span<const std::byte> bytes)
{
    return fmt::format("{:08x}", checksum(bytes));
}

} // namespace lockstep
