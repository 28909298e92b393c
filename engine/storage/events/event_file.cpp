// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_file.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/record_framing.h"
#include "base/this_program.h"
#include "storage/events/event_encoding.h"
#include "storage/events/event_file_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string>

namespace lockstep {
namespace {

constexpr const char* kPrefix = "events.out.tfevents.";
// Names are ordered as text, so all stamps need as many digits: ten, until 2286.
constexpr std::int64_t kLastStamp = 9'999'999'999;

/// The seconds in the name of an event file; 0 if there are none.
std::int64_t secondsOf(const std::filesystem::path& file)
{
    const std::string name = file.filename().string();
    std::int64_t seconds = 0;
    const auto at = name.find("tfevents.");
    if (at != std::string::npos) {
        std::from_chars(name.data() + at + 9, name.data() + name.size(), seconds);
    }
    return seconds;
}

std::filesystem::path nextName(const std::filesystem::path& folder)
{
    auto seconds = static_cast<std::int64_t>(secondsSince1970());
    for (const auto& file : listEventFiles(folder)) {
        // Behind a later stamp, which is not ours, no name of ten digits comes.
        if (const std::int64_t stamp = secondsOf(file); stamp < kLastStamp) {
            seconds = std::max(seconds, stamp + 1);
        }
    }
    return folder / fmt::format("{}{:010}.{}", kPrefix, seconds, hostName());
}

std::filesystem::path made(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't make the folder ({})", folder.string(), error.message());
    }
    return folder;
}

bool writeAll(int descriptor, std::span<const char> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

} // namespace

EventFile::EventFile(const std::filesystem::path& folder, std::int64_t takeBackFrom)
    : m_path(nextName(made(folder))),
      m_descriptor(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666))
{
    check(m_descriptor >= 0, "create");
    const double now = secondsSince1970();
    const std::array<EventRecord, 2> start{
        {{EventKind::Version, now, 0, {}}, {EventKind::Start, now, takeBackFrom, {}}}};
    try {
        append(start);
    } catch (const Error&) {
        ::close(m_descriptor);
        ::unlink(m_path.c_str());
        throw;
    }
}

EventFile::~EventFile()
{
    ::close(m_descriptor);
}

void EventFile::append(std::span<const EventRecord> records)
{
    std::string bytes;
    for (const EventRecord& record : records) {
        appendFramed(bytes, encodeEvent(record));
    }
    if (!writeAll(m_descriptor, bytes)) {
        const int reason = errno;
        // Records behind half of one could never be read.
        const bool isCut = ::ftruncate(m_descriptor, m_bytes) == 0
                           && ::lseek(m_descriptor, m_bytes, SEEK_SET) >= 0;
        errno = reason;
        check(false, isCut ? "write" : "write, or cut what was written off again,");
    }
    m_bytes += std::ssize(bytes);
    check(::fdatasync(m_descriptor) == 0, "sync");
}

void EventFile::check(bool ok, const char* what) const
{
    if (!ok) {
        fail(ErrorCode::Io, "{}: can't {} it{}", m_path.string(), what, errnoText());
    }
}

} // namespace lockstep
