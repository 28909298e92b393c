// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/events/event_record.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Reads an event file and verifies every checksum. Not thread-safe.
class EventFileReader
{
public:
    /// Begins with the record at byte `offset`. Error(Io) if the file can't be read.
    explicit EventFileReader(std::filesystem::path file, std::uint64_t offset = 0);

    /// The next record; empty at the end, and from then on. A torn last record, which a killed
    /// process leaves, is the end. Error(Data) names file and offset of a record that is damaged;
    /// Error(Io).
    std::optional<EventRecord> next();

private:
    std::optional<EventRecord> readRecord();
    [[nodiscard]] bool read(std::span<char> bytes);
    [[noreturn]] void refuse(const char* what) const;

    std::filesystem::path m_file;
    std::ifstream m_stream;
    std::uintmax_t m_bytes = 0; ///< of the file
    std::uint64_t m_offset = 0; ///< of the next record
    bool m_isAtEnd = false;
};

/// The event files of a folder in the order of their names, which is the order in which TensorBoard
/// reads them; none if there is no such folder. Error(Io) if it can't be read.
std::vector<std::filesystem::path> listEventFiles(const std::filesystem::path& folder);

/// Hands out the records of kind Values of all event files of a folder, in their order, without
/// those that a later start took back. Errors as EventFileReader.
void forEachCurrentEvent(
    const std::filesystem::path& folder, const std::function<void(const EventRecord&)>& take);

} // namespace lockstep
