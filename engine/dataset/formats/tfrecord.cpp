// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/tfrecord.h"

#include "base/error.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/codecs/image_structure.h"
#include "dataset/examples/parallel_loading.h"
#include "dataset/files/record_file.h"
#include "dataset/formats/image_record.h"
#include "dataset/formats/record_shards.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// More is a label that is none.
constexpr std::int64_t kMostClasses = 100'000;

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
    struct Damage
    {
        std::int64_t number = 0;
        std::string reason;
    };
    std::vector<Damage> damages;
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
            if (found->isRest && m_settings.damaged == DamagedImages::Skip) { // of how many?
                fail(
                    ErrorCode::Data,
                    "{}: is damaged: {}; what follows in this file is lost: get it again, or go on "
                    "with what there is before (dataset.damaged = skip_all)",
                    name, found->damage);
            }
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
                shard.damages.push_back({number, error.what()});
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
        checkStructure(image.file, name);
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

/// What the records of a label call it.
class LabelTexts
{
public:
    struct Use
    {
        std::int64_t records = 0;
        std::int64_t first = 0; ///< the example
    };

    void take(const std::string& text, std::int64_t example)
    {
        if (!text.empty()) {
            ++m_uses.try_emplace(text, Use{0, example}).first->second.records;
        }
    }

    [[nodiscard]] const std::map<std::string, Use>& uses() const { return m_uses; }
    /// What most of them do, of equals the first; empty if none has a text.
    [[nodiscard]] std::string most() const
    {
        const auto found = std::ranges::max_element(m_uses, {}, [](const auto& each) {
            return std::pair(each.second.records, -each.second.first);
        });
        return found == m_uses.end() ? "" : found->first;
    }

private:
    std::map<std::string, Use> m_uses;
};

class TfRecords final : public EncodedDataset
{
public:
    TfRecords(
        const fs::path& folder, Split split, const EncodedDataSettings& settings,
        const LoadProgress& progress)
        : EncodedDataset("tfrecord", split, settings.pixels)
    {
        RecordShards found = findRecordShards(folder, split, settings);
        m_files = std::move(found.files);
        setLayout(std::move(found.layout));
        account() = std::move(found.account);
        std::vector<Shard> shards(m_files.size());
        loadInParallel(
            folder.string(), shards.size(),
            [&](std::size_t i) { shards[i] = ShardScanner(m_files[i], settings).scan(); },
            progress);
        std::vector<LabelTexts> texts;
        for (std::size_t file = 0; file < shards.size(); ++file) {
            take(shards[file], static_cast<std::uint32_t>(file), texts);
        }
        nameClasses(texts);
        checkNotEmpty(folder.string());
        checkDamage(settings.damaged, folder.string());
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

    void take(Shard& shard, std::uint32_t file, std::vector<LabelTexts>& texts)
    {
        for (Shard::Record& record : shard.records) {
            add(record.label, record.extent);
            m_places.push_back({record.place, file, static_cast<std::uint32_t>(record.number)});
            const auto label = static_cast<std::size_t>(record.label);
            texts.resize(std::max(texts.size(), label + 1));
            texts[label].take(record.text, size() - 1);
        }
        for (Shard::Damage& damage : shard.damages) {
            leaveOut(std::move(damage.reason), recordName(m_files[file].filename(), damage.number));
        }
        shard = {};
    }

    void nameClasses(const std::vector<LabelTexts>& texts)
    {
        std::vector<std::string> names;
        std::string told;
        std::size_t contradicted = 0;
        for (std::size_t label = 0; label < texts.size(); ++label) {
            const std::string own = texts[label].most();
            names.push_back(own.empty() ? std::to_string(label) : own);
            for (const auto& [text, use] : texts[label].uses()) {
                if (text != own && told.empty()) {
                    told = fmt::format(
                        "label {} is '{}' in {} records, but '{}' in {} ({})", label, own,
                        texts[label].uses().at(own).records, text, use.records,
                        exampleName(use.first));
                }
            }
            contradicted += texts[label].uses().size() > 1 ? 1 : 0;
        }
        if (contradicted > 0) {
            account().warn(fmt::format(
                "{}: the numbers count{}", told,
                contradicted > 1 ? fmt::format("; {} labels have several names", contradicted)
                                 : ""));
        }
        setClassNames(std::move(names));
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
