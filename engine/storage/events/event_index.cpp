// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_index.h"

#include "base/error.h"
#include "base/record_framing.h"
#include "storage/events/event_encoding.h"
#include "storage/events/event_file_reader.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <variant>

namespace lockstep {
namespace {

/// The scalars of a step take less, unless it has hundreds of towers; then its record is listed
/// though it holds nothing else. Longer ones are not opened.
constexpr std::uint64_t kMostOfScalars = 16 * std::uint64_t{1024};
/// Enough for time and step, which come first.
constexpr std::uint64_t kHeadBytes = 32;

bool hasMoreThanScalars(const EventRecord& record)
{
    return std::ranges::any_of(record.values, [](const EventValue& value) {
        return !std::holds_alternative<double>(value.value);
    });
}

} // namespace

EventIndex::EventIndex(std::filesystem::path folder) : m_folder(std::move(folder)) {}

bool EventIndex::update()
{
    updateFiles();
    const auto sizeBefore = m_places.size();
    const auto lastBefore = m_places.empty() ? EventPlace{} : m_places.back();
    for (std::size_t number = 0; number < m_files.size(); ++number) {
        scan(number);
    }
    return m_places.size() != sizeBefore
           || (!m_places.empty()
               && (m_places.back().file != lastBefore.file
                   || m_places.back().offset != lastBefore.offset));
}

/// New files stand behind the known ones; where they do not, all is looked at anew.
void EventIndex::updateFiles()
{
    const auto files = listEventFiles(m_folder);
    const bool isLonger =
        files.size() >= m_files.size()
        && std::ranges::equal(m_files, std::span(files).first(m_files.size()), {}, &File::path);
    if (!isLonger) {
        m_files.clear();
        m_places.clear();
    }
    for (std::size_t i = m_files.size(); i < files.size(); ++i) {
        m_files.push_back({files[i], 0});
    }
}

void EventIndex::scan(std::size_t number)
{
    const File& file = m_files[number];
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file.path, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't read it ({})", file.path.string(), error.message());
    }
    if (bytes == file.end) {
        return;
    }
    std::ifstream stream(file.path, std::ios::binary);
    if (!stream) {
        fail(ErrorCode::Io, "{}: can't read it{}", file.path.string(), errnoText());
    }
    while (scanRecord(number, stream, bytes)) {
    }
}

bool EventIndex::scanRecord(std::size_t number, std::ifstream& stream, std::uint64_t bytes)
{
    File& file = m_files[number];
    const std::uint64_t left = bytes - file.end;
    std::array<char, kFrameHead> head{};
    stream.seekg(static_cast<std::streamoff>(file.end));
    if (left < kFrameHead + kFrameTail || !stream.read(head.data(), std::ssize(head))) {
        return false;
    }
    const auto length = framedLength(head);
    if (length && *length > left - kFrameHead - kFrameTail) {
        return false;
    }
    EventPlace place{number, file.end, 0};
    if (!length || *length <= kMostOfScalars) {
        const EventRecord record = read(place); // tells what is wrong with a damaged one
        if (record.kind == EventKind::Start) {
            takeBack(record.step, number);
        } else if (hasMoreThanScalars(record)) {
            m_places.push_back({number, file.end, record.step});
        }
    } else {
        std::array<char, kHeadBytes> payload{};
        const auto step =
            stream.read(payload.data(), std::ssize(payload)) ? stepOf(payload) : std::nullopt;
        if (!step) {
            static_cast<void>(read(place)); // tells what is wrong
            return false;
        }
        place.step = *step;
        m_places.push_back(place);
    }
    file.end += kFrameHead + length.value_or(0) + kFrameTail;
    return true;
}

/// What earlier files say of a step and later ones.
void EventIndex::takeBack(std::int64_t step, std::size_t behind)
{
    std::erase_if(m_places, [&](const EventPlace& place) {
        return place.file < behind && place.step >= step;
    });
}

EventRecord EventIndex::read(const EventPlace& place) const
{
    const auto& path = m_files.at(place.file).path;
    EventFileReader reader(path, place.offset);
    const auto record = reader.next();
    if (!record) {
        fail(ErrorCode::Io, "{}: it has become shorter while it was read", path.string());
    }
    return *record;
}

} // namespace lockstep
