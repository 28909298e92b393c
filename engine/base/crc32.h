// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

/// CRC-32 (the one of zip and PNG). Finds every flip of one bit and every burst of up to 32 bits;
/// it guards against damage, not against forgery.
std::uint32_t checksum(std::span<const std::byte> bytes);

/// The same as eight hexadecimal digits.
std::string checksumText(std::span<const std::byte> bytes);

} // namespace lockstep
