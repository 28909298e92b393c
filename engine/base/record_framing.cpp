// SPDX-License-Identifier: Apache-2.0
#include "base/record_framing.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace lockstep {
namespace {

constexpr std::size_t kLengthBytes = 8;

std::uint32_t maskedChecksum(std::span<const char> bytes)
{
    constexpr std::uint32_t kMaskDelta = 0xa282ead8U;
    return std::rotr(crc32c(bytes), 15) + kMaskDelta;
}

template<class Integer>
void appendLittleEndian(std::string& bytes, Integer value)
{
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
    }
}

template<class Integer>
Integer littleEndian(std::span<const char, sizeof(Integer)> bytes)
{
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        value |= Integer{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

} // namespace

std::uint32_t crc32c(std::span<const char> bytes)
{
    // The library counts in int and goes on from a checksum that is not yet inverted.
    constexpr std::size_t kAtOnce = std::numeric_limits<int>::max();
    std::uint32_t checksum = ~0U;
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min(bytes.size(), kAtOnce));
        // It does not write, though its declaration lets it.
        auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(part.data()));
        checksum = crc32_iscsi(data, static_cast<int>(part.size()), checksum);
        bytes = bytes.subspan(part.size());
    }
    return ~checksum;
}

void appendFramed(std::string& bytes, std::span<const char> payload)
{
    const std::size_t start = bytes.size();
    appendLittleEndian(bytes, std::uint64_t{payload.size()});
    appendLittleEndian(bytes, maskedChecksum(std::span(bytes).subspan(start, kLengthBytes)));
    bytes.append(payload.data(), payload.size());
    appendLittleEndian(bytes, maskedChecksum(payload));
}

std::optional<std::uint64_t> framedLength(std::span<const char, kFrameHead> head)
{
    const auto length = head.first<kLengthBytes>();
    if (littleEndian<std::uint32_t>(head.last<4>()) != maskedChecksum(length)) {
        return std::nullopt;
    }
    return littleEndian<std::uint64_t>(length);
}

bool isChecked(std::span<const char> payload, std::span<const char, kFrameTail> tail)
{
    return littleEndian<std::uint32_t>(tail) == maskedChecksum(payload);
}

} // namespace lockstep
