// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/event_record.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace lockstep {

/// An event file that TensorBoard opens, being written: `events.out.tfevents.<seconds>.<host>` in
/// the given folder, its name behind those of all files there whose stamps have ten digits, because
/// TensorBoard reads them in that order. Begins by saying that what earlier files say of step
/// `takeBackFrom` and later ones no longer holds. Records are appended and synced, so a killed
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

    /// On disk when it returns. Where it can't write, the file ends with the records before; where
    /// it can't sync them, these are behind those, but a power cut may take them.
    void append(std::span<const EventRecord> records);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }

private:
    void check(bool ok, const char* what) const;

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::int64_t m_bytes = 0;
};

} // namespace lockstep
