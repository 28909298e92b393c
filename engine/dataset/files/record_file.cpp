// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/record_file.h"

#include "base/error.h"
#include "base/record_framing.h"
#include "dataset/files/file_bytes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

constexpr auto kHead = static_cast<std::int64_t>(kFrameHead);
constexpr auto kTail = static_cast<std::int64_t>(kFrameTail);

/// `bytes` end with the checksum of what is before it.
bool isWhole(const std::vector<std::byte>& bytes)
{
    const std::span all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return isChecked(all.first(all.size() - kFrameTail), all.last<kFrameTail>());
}

/// By which a compressed file begins, and what unpacks it.
struct Compression
{
    std::string_view start;
    const char* name;
    const char* unpack;
};

// A record's length would hardly begin so, and is looked at first.
constexpr std::array<Compression, 8> kCompressions{
    {{"\x1f\x8b", "gzip", "gzip -dc FILE > NEW"},
     {"\x78\x01", "zlib", "zlib-flate -uncompress < FILE > NEW"},
     {"\x78\x5e", "zlib", "zlib-flate -uncompress < FILE > NEW"},
     {"\x78\x9c", "zlib", "zlib-flate -uncompress < FILE > NEW"},
     {"\x78\xda", "zlib", "zlib-flate -uncompress < FILE > NEW"},
     {"\x28\xb5\x2f\xfd", "zstd", "zstd -dc FILE > NEW"},
     {"BZh", "bzip2", "bzip2 -dc FILE > NEW"},
     {"\xfd"
      "7zXZ",
      "xz", "xz -dc FILE > NEW"}}};

} // namespace

RecordFileStart startOfRecordFile(const std::filesystem::path& path)
{
    std::vector<std::byte> start;
    readFilePart(path, 0, std::min(fileBytes(path), kHead), start);
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    RecordFileStart result{.isEmpty = text.empty()};
    if (std::array<char, kFrameHead> head{}; text.size() == head.size()) {
        text.copy(head.data(), head.size());
        result.isRecord = framedLength(head).has_value();
    }
    const auto* const found = std::ranges::find_if(
        kCompressions, [&](const Compression& each) { return text.starts_with(each.start); });
    if (!result.isRecord && found != kCompressions.end()) {
        result.compression = found->name;
        result.unpack = found->unpack;
    }
    return result;
}

RecordFileReader::RecordFileReader(std::filesystem::path path)
    : m_path(std::move(path)), m_stream(m_path, std::ios::binary), m_bytes(fileBytes(m_path))
{
    if (!m_stream) {
        fail(ErrorCode::Io, "{}: can't be read{}", m_path.string(), errnoText());
    }
}

FoundRecord RecordFileReader::damagedToTheEnd(const char* damage)
{
    const RecordPlace place{m_offset, m_bytes - m_offset};
    m_offset = m_bytes;
    return {place, damage, true};
}

std::optional<FoundRecord> RecordFileReader::next(std::vector<std::byte>& payload)
{
    if (m_offset == m_bytes) {
        return std::nullopt;
    }
    std::array<char, kFrameHead> head{};
    if (m_bytes - m_offset < kHead) {
        return damagedToTheEnd("the file ends within the record");
    }
    m_stream.read(head.data(), head.size());
    const auto length = framedLength(head);
    if (m_stream && !length) {
        return damagedToTheEnd("its length does not match its checksum, so nothing behind it is "
                               "found");
    }
    const std::int64_t left = m_bytes - m_offset - kHead - kTail;
    if (m_stream && (left < 0 || *length > static_cast<std::uint64_t>(left))) {
        return damagedToTheEnd("the file ends within the record");
    }
    if (m_stream && *length > std::uint64_t{2} * kMostFileBytes) {
        const RecordPlace tooLarge{m_offset + kHead, static_cast<std::int64_t>(*length)};
        m_offset = tooLarge.offset + tooLarge.bytes + kTail;
        m_stream.seekg(m_offset);
        payload.clear();
        return FoundRecord{tooLarge, "it is larger than any image", false};
    }
    const RecordPlace place{m_offset + kHead, m_stream ? static_cast<std::int64_t>(*length) : 0};
    payload.resize(static_cast<std::size_t>(place.bytes + kTail));
    m_stream.read(
        reinterpret_cast<char*>(payload.data()), static_cast<std::streamsize>(payload.size()));
    if (!m_stream) {
        fail(ErrorCode::Io, "{}: can't be read{}", m_path.string(), errnoText());
    }
    m_offset = place.offset + place.bytes + kTail;
    if (!isWhole(payload)) {
        payload.clear();
        return FoundRecord{place, "its content does not match its checksum", false};
    }
    payload.resize(static_cast<std::size_t>(place.bytes));
    return FoundRecord{place, {}, false};
}

bool readRecord(
    const std::filesystem::path& path, const RecordPlace& place, std::vector<std::byte>& payload)
{
    readFilePart(path, place.offset, place.bytes + kTail, payload);
    const bool isRight = isWhole(payload);
    payload.resize(static_cast<std::size_t>(place.bytes));
    return isRight;
}

} // namespace lockstep
