// SPDX-License-Identifier: Apache-2.0
#include "storage/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

namespace lockstep {

std::string checksumText(std::span<const std::byte> bytes)
{
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    return fmt::format("{:08x}", crc32_z(0, data, bytes.size()));
}

} // namespace lockstep
