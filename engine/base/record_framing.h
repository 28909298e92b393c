// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lockstep {

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::span<const char> bytes);

// The TFRecord format, record after record: length (8 bytes), masked CRC of the length (4),
// payload, masked CRC of the payload (4); little-endian. A masked CRC is the CRC rotated right by
// 15 bits plus 0xa282ead8, modulo 2^32.

/// Bytes of a record before its payload, and after it.
inline constexpr std::size_t kFrameHead = 12;
inline constexpr std::size_t kFrameTail = 4;

/// Appends a record with this payload to `bytes`.
void appendFramed(std::string& bytes, std::span<const char> payload);

/// The length that the head of a record tells; empty if its checksum is wrong.
std::optional<std::uint64_t> framedLength(std::span<const char, kFrameHead> head);
/// Whether the bytes after a payload are its checksum.
bool isChecked(std::span<const char> payload, std::span<const char, kFrameTail> tail);

} // namespace lockstep
