// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_file_reader.h"

#include "base/error.h"
#include "base/record_framing.h"
#include "storage/events/event_encoding.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace lockstep {
namespace {

/// The step from which on a file takes back what the files before it say; all steps if it does not.
std::int64_t startOf(const std::filesystem::path& file)
{
    // EventFile writes it behind the version.
    EventFileReader reader(file);
    for (int i = 0; i < 2; ++i) {
        const auto record = reader.next();
        if (!record) {
            break;
        }
        if (record->kind == EventKind::Start) {
            return record->step;
        }
    }
    return std::numeric_limits<std::int64_t>::max();
}

} // namespace

EventFileReader::EventFileReader(std::filesystem::path file, std::uint64_t offset)
    : m_file(std::move(file)), m_stream(m_file, std::ios::binary), m_offset(offset)
{
    m_stream.seekg(static_cast<std::streamoff>(offset));
    std::error_code error;
    m_bytes = std::filesystem::file_size(m_file, error);
    if (error || !m_stream) {
        fail(ErrorCode::Io, "{}: can't read it{}", m_file.string(), errnoText());
    }
}

std::optional<EventRecord> EventFileReader::next()
{
    if (m_isAtEnd) {
        return std::nullopt;
    }
    std::optional<EventRecord> record = readRecord();
    m_isAtEnd = !record;
    return record;
}

/// Empty leaves the stream anywhere within a torn record.
std::optional<EventRecord> EventFileReader::readRecord()
{
    std::array<char, kFrameHead> head{};
    if (!read(head)) {
        return std::nullopt;
    }
    const auto length = framedLength(head);
    if (!length) {
        refuse("its length does not match its checksum");
    }
    const std::uint64_t left = m_bytes - m_offset;
    if (left < kFrameHead + kFrameTail || *length > left - kFrameHead - kFrameTail) {
        return std::nullopt;
    }
    std::string payload(*length, '\0');
    std::array<char, kFrameTail> tail{};
    if (!read(payload) || !read(tail)) {
        return std::nullopt;
    }
    if (!isChecked(payload, tail)) {
        refuse("it does not match its checksum");
    }
    std::optional<EventRecord> record = decodeEvent(payload);
    if (!record) {
        refuse("it is not an event");
    }
    m_offset += kFrameHead + payload.size() + kFrameTail;
    return record;
}

bool EventFileReader::read(std::span<char> bytes)
{
    m_stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (m_stream.bad()) {
        fail(ErrorCode::Io, "{}: can't read it{}", m_file.string(), errnoText());
    }
    return m_stream.gcount() == static_cast<std::streamsize>(bytes.size());
}

void EventFileReader::refuse(const char* what) const
{
    fail(
        ErrorCode::Data,
        "{}: the record at byte {} is damaged ({}); take the file out of its folder to go on "
        "without it",
        m_file.string(), m_offset, what);
}

std::vector<std::filesystem::path> listEventFiles(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) {
        return files;
    }
    for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        if (each->path().filename().string().find("tfevents") != std::string::npos) {
            files.push_back(each->path());
        }
    }
    if (error) {
        fail(ErrorCode::Io, "{}: can't read the folder ({})", folder.string(), error.message());
    }
    std::ranges::sort(files);
    return files;
}

void forEachCurrentEvent(
    const std::filesystem::path& folder, const std::function<void(const EventRecord&)>& take)
{
    const auto files = listEventFiles(folder);
    // From the last file to the first: what the files behind each one take back.
    std::vector<std::int64_t> ends(files.size(), std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = files.size(); i-- > 1;) {
        ends[i - 1] = std::min(ends[i], startOf(files[i]));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        EventFileReader reader(files[i]);
        while (const auto record = reader.next()) {
            if (record->kind == EventKind::Values && record->step < ends[i]) {
                take(*record);
            }
        }
    }
}

} // namespace lockstep
