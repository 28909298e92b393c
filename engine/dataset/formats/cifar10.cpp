// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/cifar10.h"

#include "base/error.h"
#include "dataset/files/file_bytes.h"
#include "dataset/files/folder_walk.h"
#include "dataset/files/text_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr int kClasses = 10;
constexpr std::array<const char*, 5> kTrainFiles{
    "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
    "data_batch_5.bin"};
constexpr std::array<const char*, 1> kTestFiles{"test_batch.bin"};
constexpr std::array<const char*, kClasses> kClassNames{
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};

/// A file of records and how many there are.
struct RecordFile
{
    fs::path path;
    std::int64_t records = 0;
};

std::span<const char* const> fileNames(Split split)
{
    return split == Split::Train ? std::span<const char* const>(kTrainFiles)
                                 : std::span<const char* const>(kTestFiles);
}

std::int64_t bytesOfCifar10(const fs::path& path)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        fail(
            ErrorCode::Data,
            "{}: this file of CIFAR-10 is missing; get the data again with "
            "'lockstep-train download cifar10 --data DIR'",
            path.string());
    }
    if (!error && status.type() != fs::file_type::regular) {
        fail(ErrorCode::Data, "{}: is not a plain file", path.string());
    }
    const auto bytes = error ? 0 : fs::file_size(path, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't be read ({})", path.string(), error.message());
    }
    return static_cast<std::int64_t>(bytes);
}

std::string wholeRecords(std::int64_t records)
{
    return fmt::format(
        "{} (= {} × {})", records * kCifar10RecordBytes, records, kCifar10RecordBytes);
}

/// The numbers of bytes that would be right, nearest to what was found.
std::string nearestSizes(std::int64_t bytes)
{
    const std::int64_t below = bytes / kCifar10RecordBytes;
    return below == 0 ? wholeRecords(1) : wholeRecords(below) + " or " + wholeRecords(below + 1);
}

RecordFile checkedFile(const fs::path& path)
{
    const std::int64_t bytes = bytesOfCifar10(path);
    if (bytes == 0 || bytes % kCifar10RecordBytes != 0) {
        fail(
            ErrorCode::Data,
            "{}: has {} bytes, which is not a whole number of {}-byte CIFAR-10 records (such as "
            "{}); the file is truncated or not a CIFAR-10 file: get it again",
            path.string(), bytes, kCifar10RecordBytes, nearestSizes(bytes));
    }
    return {path, bytes / kCifar10RecordBytes};
}

std::vector<RecordFile> recordFiles(const fs::path& folder, Split split)
{
    std::vector<RecordFile> files;
    for (const char* name : fileNames(split)) {
        files.push_back(checkedFile(folder / name));
    }
    return files;
}

/// A file that is cut between two records looks whole by itself.
std::string oddSizes(const std::vector<RecordFile>& files)
{
    constexpr std::int64_t kOfficial = 10'000;
    std::map<std::int64_t, std::vector<std::string>> bySize;
    for (const RecordFile& file : files) {
        bySize[file.records].push_back(file.path.filename().string());
    }
    if (bySize.size() == 1 && bySize.begin()->first == kOfficial) {
        return {};
    }
    std::vector<std::string> parts;
    for (const auto& [records, names] : bySize) {
        parts.push_back(fmt::format("{} in {}", records, fmt::join(names, ", ")));
    }
    return fmt::format(
        "CIFAR-10 has {} images in each file, this folder has {}{}", kOfficial,
        fmt::join(parts, ", "), bySize.size() > 1 ? ": some may be cut short" : "");
}

void readRecords(const RecordFile& file, std::span<std::uint8_t> bytes)
{
    errno = 0;
    std::ifstream stream(file.path, std::ios::binary);
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream) {
        fail(ErrorCode::Io, "{}: can't be read{}", file.path.string(), errnoText());
    }
}

void checkLabels(const RecordFile& file, std::span<const std::uint8_t> bytes)
{
    for (std::int64_t record = 0; record < file.records; ++record) {
        const int label = bytes[static_cast<std::size_t>(record * kCifar10RecordBytes)];
        if (label >= kClasses) {
            fail(
                ErrorCode::Data,
                "{}: record {} (from 0) has label {}, but CIFAR-10 has labels 0 to {}; the file is "
                "damaged or holds other data: get it again",
                file.path.string(), record, label, kClasses - 1);
        }
    }
}

/// Those of the folder, if they are ten, or else the official ones, which is told.
std::vector<std::string> classNames(const fs::path& folder, DataAccount& account)
{
    const fs::path file = folder / "batches.meta.txt";
    std::vector<std::string> official(kClassNames.begin(), kClassNames.end());
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        return official;
    }
    std::vector<std::string> names;
    std::istringstream text(readTextFile(file).text);
    for (std::string line; names.size() <= kClasses && std::getline(text, line);) {
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
            line.pop_back();
        }
        if (!line.empty()) {
            names.push_back(line);
        }
    }
    if (names.size() == kClasses && std::set(names.begin(), names.end()).size() == kClasses) {
        return names;
    }
    account.warn(fmt::format(
        "{} does not hold ten different names, so the classes are called as CIFAR-10's are",
        file.filename().string()));
    return official;
}

/// Files that are called as those of records are, but are none of the six.
void leaveOutOthers(const fs::path& folder, DataAccount& account)
{
    for (const std::string& name : entriesOf(folder).files) {
        const auto isOne = [&](const char* known) { return name == known; };
        const bool isKnown =
            std::ranges::any_of(kTrainFiles, isOne) || std::ranges::any_of(kTestFiles, isOne);
        if (!isKnown && endsIn(name, {".bin"})) {
            account.leaveOut("that are none of CIFAR-10's six", name);
        }
    }
}

class Cifar10 final : public Dataset
{
public:
    Cifar10(const fs::path& folder, Split split)
        : m_info{
            .name = "cifar10",
            .split = std::string(toString(split)),
            .imageShape = {32, 32, 3},
            .pixelOrder = PixelOrder::Planar,
            .classNames = {}}
    {
        m_info.classNames = classNames(folder, m_info.account);
        leaveOutOthers(folder, m_info.account);
        const std::vector<RecordFile> files = recordFiles(folder, split);
        if (std::string odd = oddSizes(files); !odd.empty()) {
            m_info.account.warn(std::move(odd));
        }
        load(files);
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return m_size; }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const std::uint8_t* record =
            &m_bytes[static_cast<std::size_t>(index * kCifar10RecordBytes)];
        return {{record + 1, kCifar10RecordBytes - 1}, record[0]};
    }

private:
    void load(const std::vector<RecordFile>& files)
    {
        for (const auto& file : files) {
            m_size += file.records;
        }
        // Not a vector: it would fill 150 MB with zeros first.
        m_bytes = std::make_unique_for_overwrite<std::uint8_t[]>(
            static_cast<std::size_t>(m_size * kCifar10RecordBytes));
        std::uint8_t* end = m_bytes.get();
        for (const auto& file : files) {
            const std::span bytes(
                end, static_cast<std::size_t>(file.records * kCifar10RecordBytes));
            readRecords(file, bytes);
            checkLabels(file, bytes);
            end += bytes.size();
        }
    }

    DatasetInfo m_info;
    std::int64_t m_size = 0;
    std::unique_ptr<std::uint8_t[]> m_bytes; ///< the records of all files, one after the other
};

} // namespace

bool hasCifar10Files(const fs::path& folder) noexcept
{
    const auto isThere = [&](const char* name) {
        std::error_code ignored;
        return fs::exists(folder / name, ignored);
    };
    return std::any_of(kTrainFiles.begin(), kTrainFiles.end(), isThere) || isThere(kTestFiles[0]);
}

fs::path locateCifar10(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        fail(
            ErrorCode::BadInput,
            "{}: this folder does not exist; give the one with the CIFAR-10 files, or get them "
            "with 'lockstep-train download cifar10 --data DIR'",
            folder.string());
    }
    // A folder with some of the files is meant, even if others are missing; that is said later.
    if (!hasCifar10Files(folder) && fs::is_directory(folder / kCifar10FolderName, ignored)) {
        return folder / kCifar10FolderName;
    }
    return folder;
}

std::unique_ptr<Dataset> openCifar10(const fs::path& folder, Split split)
{
    return std::make_unique<Cifar10>(locateCifar10(folder), split);
}

bool looksLikeCifar10(const fs::path& folder) noexcept
{
    try {
        const auto found = locateCifar10(folder);
        recordFiles(found, Split::Train);
        recordFiles(found, Split::Test);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

void validateCifar10(const fs::path& folder)
{
    openCifar10(folder, Split::Train);
    openCifar10(folder, Split::Test);
}

} // namespace lockstep
