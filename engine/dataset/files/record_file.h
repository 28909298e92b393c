// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Where the payload of a record lies in its file.
struct RecordPlace
{
    std::int64_t offset = 0; ///< of its first byte
    std::int64_t bytes = 0;

    bool operator==(const RecordPlace&) const = default;
};

/// What a pass over a file finds at one place.
struct FoundRecord
{
    RecordPlace place;
    std::string damage;  ///< what is wrong with it; empty: its checksums are right
    bool isRest = false; ///< whatever lies behind it is lost, too
};

/// What the first bytes of a file say of it.
struct RecordFileStart
{
    bool isEmpty = false;
    bool isRecord = false;        ///< a length with its checksum
    std::string compression = {}; ///< "gzip"; empty: none that is known
    std::string unpack = {};      ///< how a person does, then
};

/// Throws Error(Io) if the file can't be read.
[[nodiscard]] RecordFileStart startOfRecordFile(const std::filesystem::path& path);

/// Reads a file of records (base/record_framing.h) from its start to its end. Not thread-safe.
class RecordFileReader
{
public:
    /// Throws Error(Io) if the file can't be read.
    explicit RecordFileReader(std::filesystem::path path);

    /// The next record, and its payload in `payload`, whose memory is used again; empty at the end.
    /// A damaged one is found, too, without a payload; if its length can't be trusted, so can't
    /// anything behind it, and the file ends there.
    std::optional<FoundRecord> next(std::vector<std::byte>& payload);

private:
    FoundRecord damagedToTheEnd(const char* damage);

    std::filesystem::path m_path;
    std::ifstream m_stream;
    std::int64_t m_bytes;
    std::int64_t m_offset = 0; ///< of the next record
};

/// Reads one record into `payload`, whose memory is used again; whether its checksum is right.
/// Throws Error(Io) that names the file if it can't be read. Thread-safe.
bool readRecord(
    const std::filesystem::path& path, const RecordPlace& place, std::vector<std::byte>& payload);

} // namespace lockstep
