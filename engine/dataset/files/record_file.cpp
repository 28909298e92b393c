// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/record_file.h"

#include "base/error.h"
#include "base/record_framing.h"
#include "dataset/files/file_bytes.h"

#include <array>
#include <span>
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

} // namespace

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
    return {place, damage};
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
        return FoundRecord{tooLarge, "it is larger than any image"};
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
        return FoundRecord{place, "its content does not match its checksum"};
    }
    payload.resize(static_cast<std::size_t>(place.bytes));
    return FoundRecord{place, {}};
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
