// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/tfrecord.h"

#include "base/error.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/examples/parallel_loading.h"
#include "dataset/files/file_bytes.h"
#include "dataset/files/record_file.h"
#include "dataset/formats/image_record.h"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// More is a label that is none.
constexpr std::int64_t kMostClasses = 100'000;

std::string patternOf(const EncodedDataSettings& settings, Split split)
{
    std::string pattern = settings.pattern;
    const std::string_view mark = kSplitMark;
    for (std::size_t place = pattern.find(mark); place != std::string::npos;
         place = pattern.find(mark)) {
        pattern.replace(place, mark.size(), split == Split::Train ? "train" : "validation");
    }
    return pattern;
}

std::vector<fs::path> filesOf(const fs::path& folder, const std::string& pattern)
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        fail(
            ErrorCode::BadInput,
            "{}: this folder does not exist; give the one with the record files (dataset.path)",
            folder.string());
    }
    std::vector<fs::path> files;
    const auto fits = [&](const fs::directory_entry& entry) {
        std::error_code ignored;
        const std::string name = entry.path().filename().string();
        return fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0
               && entry.is_regular_file(ignored);
    };
    for (const std::string& name : namesIn(folder, fits)) {
        files.push_back(folder / name);
    }
    if (files.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: no file's name fits '{}'; give the folder (dataset.path) and the names of its "
            "record files (dataset.pattern, such as '{}-*')",
            folder.string(), pattern, kSplitMark);
    }
    return files;
}

std::string recordName(const fs::path& file, std::int64_t number)
{
    return fmt::format("{}, record {}", file.string(), number);
}

/// What one file holds.
struct Shard
{
    struct Record
    {
        RecordPlace place;
        std::int64_t number = 0;
        std::int32_t label = 0;
        ImageExtent extent;
        std::string text;
    };

    std::vector<Record> records;
    std::vector<std::string> damages;
};

class ShardScanner
{
public:
    ShardScanner(const fs::path& file, const EncodedDataSettings& settings)
        : m_file(file), m_settings(settings)
    {
    }

    Shard scan()
    {
        Shard shard;
        RecordFileReader reader(m_file);
        std::int64_t number = 0;
        while (const auto found = reader.next(m_payload)) {
            const std::string name = recordName(m_file, number);
            try {
                if (!found->damage.empty()) {
                    fail(
                        ErrorCode::Data, "{}: is damaged: {}; get the file again", name,
                        found->damage);
                }
                shard.records.push_back(take(*found, name, number));
            } catch (const Error& error) {
                if (m_settings.damaged == DamagedImages::Refuse
                    || error.code() != ErrorCode::Data) {
                    throw;
                }
                shard.damages.emplace_back(error.what());
            }
            ++number;
        }
        return shard;
    }

private:
    Shard::Record take(const FoundRecord& found, const std::string& name, std::int64_t number)
    {
        parseImageRecord(m_payload, name, m_record);
        const EncodedImage& image = m_record.image;
        const ImageSize size = readImageSize(image.file, name, m_settings.pixels);
        if (m_settings.damaged == DamagedImages::Skip) {
            checkWhole(image.file, name);
        }
        // A loader holds the record, its features and the image.
        const std::int64_t bytes = 2 * found.place.bytes + std::ssize(image.file);
        return {
            found.place,
            number,
            labelOf(name),
            {size, bytes, std::ssize(image.boxes), std::ssize(image.file)},
            std::move(m_record.text)};
    }

    [[nodiscard]] std::int32_t labelOf(const std::string& name) const
    {
        const std::int64_t most = kMostClasses;
        if (m_record.label < -most || m_record.label > most
            || m_record.label + m_settings.labelOffset < 0
            || m_record.label + m_settings.labelOffset >= most) {
            fail(
                ErrorCode::BadInput,
                "{}: its label is {}, which with dataset.label_offset {} is not from 0 to {}; "
                "choose another offset",
                name, m_record.label, m_settings.labelOffset, most - 1);
        }
        return static_cast<std::int32_t>(m_record.label + m_settings.labelOffset);
    }

    const fs::path& m_file;
    const EncodedDataSettings& m_settings;
    std::vector<std::byte> m_payload;
    ImageRecord m_record;
};

class TfRecords final : public EncodedDataset
{
public:
    TfRecords(
        const fs::path& folder, Split split, const EncodedDataSettings& settings,
        const LoadProgress& progress)
        : EncodedDataset("tfrecord", split, settings.pixels),
          m_files(filesOf(folder, patternOf(settings, split)))
    {
        std::vector<Shard> shards(m_files.size());
        loadInParallel(
            folder.string(), shards.size(),
            [&](std::size_t i) { shards[i] = ShardScanner(m_files[i], settings).scan(); },
            progress);
        std::vector<std::string> names;
        for (std::size_t file = 0; file < shards.size(); ++file) {
            take(shards[file], static_cast<std::uint32_t>(file), names);
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            names[i] = names[i].empty() ? std::to_string(i) : names[i];
        }
        setClassNames(std::move(names));
        checkNotEmpty(folder.string());
        tellBits();
    }

    void read(std::int64_t index, EncodedImage& image) const override
    {
        const Place& place = at(index);
        std::vector<std::byte> payload;
        if (!readRecord(m_files[place.file], place.record, payload)) {
            fail(
                ErrorCode::Data,
                "{}: does not match its checksum any more; the file was changed, or the disk fails",
                fullName(index));
        }
        ImageRecord record{std::move(image), 0, {}};
        parseImageRecord(payload, fullName(index), record);
        image = std::move(record.image);
        turnBoxes(image);
    }

    [[nodiscard]] std::string fullName(std::int64_t index) const override
    {
        return recordName(m_files[at(index).file], at(index).number);
    }

    [[nodiscard]] std::string exampleName(std::int64_t index) const override
    {
        return recordName(m_files[at(index).file].filename(), at(index).number);
    }

private:
    struct Place
    {
        RecordPlace record;
        std::uint32_t file = 0;
        std::uint32_t number = 0; ///< within the file
    };

    [[nodiscard]] const Place& at(std::int64_t index) const
    {
        return m_places[static_cast<std::size_t>(index)];
    }

    /// They were drawn on the pixels as they are stored.
    void turnBoxes(EncodedImage& image) const
    {
        const int orientation = exifOrientation(image.file, pixelRules());
        for (ObjectBox& box : image.boxes) {
            box = turnedBox(box, orientation);
        }
    }

    void take(Shard& shard, std::uint32_t file, std::vector<std::string>& names)
    {
        for (Shard::Record& record : shard.records) {
            add(record.label, record.extent);
            m_places.push_back({record.place, file, static_cast<std::uint32_t>(record.number)});
            const auto label = static_cast<std::size_t>(record.label);
            names.resize(std::max(names.size(), label + 1));
            if (names[label].empty()) {
                names[label] = std::move(record.text);
            }
        }
        for (std::string& damage : shard.damages) {
            leaveOut(std::move(damage));
        }
        shard = {};
    }

    std::vector<fs::path> m_files;
    std::vector<Place> m_places;
};

} // namespace

std::unique_ptr<EncodedDataset> openTfRecords(
    const fs::path& folder, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress)
{
    return std::make_unique<TfRecords>(folder, split, settings, progress);
}

} // namespace lockstep
