// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/events/event_record.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <vector>

namespace lockstep {

/// Where a record of an event file is.
struct EventPlace
{
    std::size_t file = 0; ///< number in the index
    std::uint64_t offset = 0;
    std::int64_t step = 0;
};

/// Knows where the records with histograms or pictures of a folder of event files are, by ascending
/// step, without those that a later start took back. It looks at the heads of records, so that
/// hundreds of megabytes are known in a moment, and only at what is new since the last look. Not
/// thread-safe. Errors as EventFileReader.
class EventIndex
{
public:
    /// No folder: no records.
    explicit EventIndex(std::filesystem::path folder);

    /// Takes in what was written since. Whether places() is another.
    bool update();
    [[nodiscard]] const std::vector<EventPlace>& places() const { return m_places; }
    /// All that a record says. Error(Data) if it is damaged.
    [[nodiscard]] EventRecord read(const EventPlace& place) const;

private:
    struct File
    {
        std::filesystem::path path;
        std::uint64_t end = 0; ///< of what is known of it
    };

    void updateFiles();
    void scan(std::size_t number);
    /// Takes in the record at the end of what is known; false if it is not complete yet.
    bool scanRecord(std::size_t number, std::ifstream& stream, std::uint64_t bytes);
    void takeBack(std::int64_t step, std::size_t behind);

    std::filesystem::path m_folder;
    std::vector<File> m_files;
    std::vector<EventPlace> m_places;
};

} // namespace lockstep
