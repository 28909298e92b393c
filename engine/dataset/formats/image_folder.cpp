// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/image_folder.h"

#include "base/error.h"
#include "dataset/codecs/image_structure.h"
#include "dataset/examples/parallel_loading.h"
#include "dataset/files/file_bytes.h"
#include "dataset/layouts/labelled_files.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackground = "background";
/// In which the header of nearly every file ends.
constexpr std::int64_t kHeaderBytes = 65'536;
/// Of all files together: what a disk reads in about ten seconds. Of more only the headers are read
/// before the first step. A matter of bytes and not of time, so that it is the same every time.
constexpr std::int64_t kMostCheckedBytes = std::int64_t{4} << 30U;

class ImageFolder final : public EncodedDataset
{
public:
    ImageFolder(
        const fs::path& place, Split split, const EncodedDataSettings& settings,
        const LoadProgress& progress)
        : EncodedDataset("image_folder", split, settings.pixels)
    {
        LabelledFiles labelled = findLabelledFiles(place, split, settings.rules);
        m_folder = std::move(labelled.folder);
        std::vector<std::string> classes(settings.hasBackground ? 1 : 0, kBackground);
        const auto firstLabel = static_cast<std::int32_t>(classes.size());
        std::ranges::move(labelled.classNames, std::back_inserter(classes));
        account() = std::move(labelled.account);
        setClassNames(std::move(classes));
        setLayout(std::move(labelled.layout));
        setDrawn(labelled.isDrawn);
        std::vector<Found> found(labelled.files.size());
        std::atomic<std::int64_t> bytes = 0;
        const auto forEachFile = [&](const std::function<void(const std::string&, Found&)>& call,
                                     const LoadProgress& told) {
            loadInParallel(
                m_folder.string(), found.size(),
                [&](std::size_t number) { call(labelled.files[number].name, found[number]); },
                told);
        };
        const auto measure = [&](const std::string& name, Found& file) {
            file.extent.fileBytes = fileBytes(m_folder / name);
            bytes += file.extent.fileBytes;
        };
        forEachFile(measure, {});
        if (bytes > kMostCheckedBytes) {
            setUnchecked();
        }
        forEachFile(
            [&](const std::string& name, Found& file) { inspect(name, settings.damaged, file); },
            progress);
        for (std::size_t number = 0; number < found.size(); ++number) {
            if (found[number].damage.empty()) {
                add(firstLabel + labelled.files[number].label, found[number].extent);
                m_names.push_back(std::move(labelled.files[number].name));
            } else {
                leaveOut(std::move(found[number].damage), labelled.files[number].name);
            }
        }
        checkNotEmpty(m_folder.string());
        checkDamage(settings.damaged, m_folder.string());
        tellBits();
    }

    void read(std::int64_t index, EncodedImage& image) const override
    {
        image.boxes.clear();
        readWholeFile(pathOf(index), image.file);
    }

    [[nodiscard]] std::string fullName(std::int64_t index) const override
    {
        return pathOf(index).string();
    }

    [[nodiscard]] std::string exampleName(std::int64_t index) const override
    {
        return m_names[static_cast<std::size_t>(index)];
    }

private:
    struct Found
    {
        ImageExtent extent;
        std::string damage;
    };

    [[nodiscard]] fs::path pathOf(std::int64_t index) const
    {
        return m_folder / m_names[static_cast<std::size_t>(index)];
    }

    void inspect(const std::string& name, DamagedImages damaged, Found& file) const
    {
        const fs::path path = m_folder / name;
        try {
            file.extent.size = isChecked() || file.extent.fileBytes <= kHeaderBytes
                                   ? sizeOfFile(path)
                                   : sizeOfStart(path);
        } catch (const Error& error) {
            if (damaged == DamagedImages::Refuse || error.code() != ErrorCode::Data) {
                throw;
            }
            file.damage = error.what();
        }
    }

    [[nodiscard]] ImageSize sizeOfFile(const fs::path& path) const
    {
        std::vector<std::byte> file;
        readWholeFile(path, file);
        const ImageSize size = readImageSize(file, path.string(), pixelRules());
        checkStructure(file, path.string());
        return size;
    }

    [[nodiscard]] ImageSize sizeOfStart(const fs::path& path) const
    {
        std::vector<std::byte> start;
        readFilePart(path, 0, kHeaderBytes, start);
        try {
            return readImageSize(start, path.string(), pixelRules());
        } catch (const Error&) { // perhaps a long profile of colours stands before the size
            return sizeOfFile(path);
        }
    }

    fs::path m_folder;
    std::vector<std::string> m_names;
};

} // namespace

std::unique_ptr<EncodedDataset> openImageFolder(
    const fs::path& place, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress)
{
    return std::make_unique<ImageFolder>(place, split, settings, progress);
}

} // namespace lockstep
