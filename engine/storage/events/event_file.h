// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/events/event_record.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace lockstep {

/// An event file that TensorBoard opens, being written: `events.out.tfevents.<seconds>.<host>` in
/// the given folder, its name behind those of all files there that have such a stamp of ten digits,
/// because TensorBoard reads them in that order. Begins by saying that what earlier files say of
/// step `takeBackFrom` and later ones no longer holds. Records are appended and synced, so a killed
/// process leaves a torn last record at worst, which readers leave out. Errors are Error(Io) and
/// name the file. Not thread-safe.
class EventFile
{
public:
    /// Makes the folder if need be.
    EventFile(const std::filesystem::path& folder, std::int64_t takeBackFrom);
    ~EventFile();
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    /// On disk when it returns. If it can't write them, the file ends with the records before; if
    /// it can't sync them, they stay in the file, but need not outlast a power cut.
    void append(std::span<const EventRecord> records);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }

private:
    void check(bool ok, const char* what) const;

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::int64_t m_bytes = 0;
};

} // namespace lockstep
