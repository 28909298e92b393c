// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/image_folder.h"

#include "base/error.h"
#include "dataset/examples/parallel_loading.h"
#include "dataset/files/file_bytes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrainFolder = "train";
constexpr const char* kTestFolder = "val";
constexpr const char* kBackground = "background";
/// In which the header of nearly every file ends.
constexpr std::int64_t kHeaderBytes = 65'536;

bool isVisible(const fs::directory_entry& entry)
{
    return !entry.path().filename().string().starts_with('.');
}

bool isFolder(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return isVisible(entry) && entry.is_directory(ignored);
}

bool isImageFile(const fs::directory_entry& entry)
{
    return isVisible(entry) && endsIn(entry.path(), {".jpg", ".jpeg", ".png"});
}

std::vector<std::string> classesIn(const fs::path& folder, const char* split)
{
    std::error_code ignored;
    if (!fs::is_directory(folder / split, ignored)) {
        fail(
            ErrorCode::BadInput,
            "{}: this folder does not exist; give the one that holds {}/CLASS/IMAGE.JPEG and "
            "{}/CLASS/IMAGE.JPEG (dataset.path)",
            (folder / split).string(), kTrainFolder, kTestFolder);
    }
    return namesIn(folder / split, isFolder);
}

std::vector<std::string> missing(
    const std::vector<std::string>& from, const std::vector<std::string>& in)
{
    std::vector<std::string> names;
    std::ranges::set_difference(in, from, std::back_inserter(names));
    return names;
}

/// A few of the names, and how many there are.
std::string someOf(std::vector<std::string> names)
{
    constexpr std::size_t kMost = 8;
    const std::size_t count = names.size();
    if (count <= kMost) {
        return fmt::format("{}", fmt::join(names, ", "));
    }
    names.resize(kMost);
    return fmt::format("{} and {} more", fmt::join(names, ", "), count - kMost);
}

/// The classes, which both splits must have, or a label would mean two things.
std::vector<std::string> commonClasses(const fs::path& folder)
{
    std::vector<std::string> classes = classesIn(folder, kTrainFolder);
    const std::vector<std::string> tested = classesIn(folder, kTestFolder);
    for (const auto& [split, names] :
         {std::pair{kTrainFolder, missing(classes, tested)},
          std::pair{kTestFolder, missing(tested, classes)}}) {
        if (!names.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: lacks a folder for {}; {} and {} need folders for the same classes",
                (folder / split).string(), someOf(names), kTrainFolder, kTestFolder);
        }
    }
    return classes;
}

class ImageFolder final : public EncodedDataset
{
public:
    ImageFolder(
        const fs::path& folder, Split split, const EncodedDataSettings& settings,
        const LoadProgress& progress)
        : EncodedDataset("image_folder", split),
          m_folder(folder / (split == Split::Train ? kTrainFolder : kTestFolder)),
          m_firstLabel(settings.hasBackground ? 1 : 0)
    {
        std::vector<std::string> classes(static_cast<std::size_t>(m_firstLabel), kBackground);
        std::ranges::move(commonClasses(folder), std::back_inserter(classes));
        setClassNames(std::move(classes));
        std::vector<Found> found = list();
        loadInParallel(
            m_folder.string(), found.size(),
            [&](std::size_t number) { inspect(found[number], settings.damaged); }, progress);
        for (Found& image : found) {
            if (image.damage.empty()) {
                add(image.label, image.extent);
                m_names.push_back(std::move(image.name));
            } else {
                leaveOut(std::move(image.damage));
            }
        }
        checkNotEmpty(m_folder.string());
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
        return pathOf(index).lexically_relative(m_folder).string();
    }

private:
    struct Found
    {
        std::string name;
        std::int32_t label = 0;
        LargestImage extent = {};
        std::string damage = {};
    };

    [[nodiscard]] fs::path pathOf(std::int32_t label, const std::string& name) const
    {
        return m_folder / info().classNames[static_cast<std::size_t>(label)] / name;
    }

    [[nodiscard]] fs::path pathOf(std::int64_t index) const
    {
        return pathOf(example(index).label, m_names[static_cast<std::size_t>(index)]);
    }

    [[nodiscard]] std::vector<Found> list() const
    {
        std::vector<Found> found;
        const auto classes = static_cast<std::int32_t>(info().classNames.size());
        for (std::int32_t label = m_firstLabel; label < classes; ++label) {
            for (std::string& name : namesIn(pathOf(label, ""), isImageFile)) {
                found.push_back({std::move(name), label});
            }
        }
        return found;
    }

    void inspect(Found& image, DamagedImages damaged) const
    {
        const fs::path path = pathOf(image.label, image.name);
        try {
            image.extent = extentOf(path, damaged == DamagedImages::Skip);
        } catch (const Error& error) {
            if (damaged == DamagedImages::Refuse || error.code() != ErrorCode::Data) {
                throw;
            }
            image.damage = error.what();
        }
    }

    [[nodiscard]] static LargestImage extentOf(const fs::path& path, bool isWhole)
    {
        const std::int64_t bytes = fileBytes(path);
        const ImageSize size =
            isWhole || bytes <= kHeaderBytes ? sizeOfFile(path, isWhole) : sizeOfStart(path);
        return {bytes, size.height * size.width, std::max(size.height, size.width), 0};
    }

    [[nodiscard]] static ImageSize sizeOfFile(const fs::path& path, bool isChecked)
    {
        std::vector<std::byte> file;
        readWholeFile(path, file);
        if (isChecked) {
            checkWhole(file, path.string());
        }
        return readImageSize(file, path.string());
    }

    [[nodiscard]] static ImageSize sizeOfStart(const fs::path& path)
    {
        std::vector<std::byte> start;
        readFilePart(path, 0, kHeaderBytes, start);
        try {
            return readImageSize(start, path.string());
        } catch (const Error&) { // perhaps a long profile of colours stands before the size
            return sizeOfFile(path, false);
        }
    }

    fs::path m_folder;
    std::int32_t m_firstLabel;
    std::vector<std::string> m_names;
};

} // namespace

std::unique_ptr<EncodedDataset> openImageFolder(
    const fs::path& folder, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress)
{
    return std::make_unique<ImageFolder>(folder, split, settings, progress);
}

} // namespace lockstep
