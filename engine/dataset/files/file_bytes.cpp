// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/file_bytes.h"

#include "base/error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <new>
#include <system_error>

namespace lockstep {

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(
        lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

bool endsIn(const std::filesystem::path& name, std::initializer_list<std::string_view> extensions)
{
    const std::string end = lowerCase(name.extension().string());
    return std::ranges::find(extensions, end) != extensions.end();
}

std::vector<std::string> namesIn(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::directory_entry&)>& isWanted)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (isWanted(*entry)) {
            names.push_back(entry->path().filename().string());
        }
    }
    if (error) {
        fail(ErrorCode::Io, "{}: can't be read ({})", folder.string(), error.message());
    }
    std::ranges::sort(names);
    return names;
}

void makeFolder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't make this folder ({})", folder.string(), error.message());
    }
}

std::int64_t fileBytes(const std::filesystem::path& path)
{
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't be read ({})", path.string(), error.message());
    }
    return static_cast<std::int64_t>(bytes);
}

void readFilePart(
    const std::filesystem::path& path, std::int64_t offset, std::int64_t count,
    std::vector<std::byte>& bytes)
{
    try {
        if (count > static_cast<std::int64_t>(bytes.capacity())) {
            bytes = {}; // a vector that grows by itself would take up to twice as much
            bytes.reserve(static_cast<std::size_t>(count));
        }
        bytes.resize(static_cast<std::size_t>(count));
    } catch (const std::bad_alloc&) {
        fail(
            ErrorCode::OutOfMemory,
            "{}: there is not enough memory to read its {} MiB; close other programs",
            path.string(), count >> 20U);
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    file.seekg(offset);
    file.read(reinterpret_cast<char*>(bytes.data()), count);
    if (!file) {
        fail(ErrorCode::Io, "{}: can't be read{}", path.string(), errnoText());
    }
}

void checkFileBytes(std::int64_t bytes, const std::string& name)
{
    if (bytes > kMostFileBytes) {
        fail(
            ErrorCode::Data,
            "{}: has {} MiB, an image at most {}; the file is damaged or not an image", name,
            bytes >> 20U, kMostFileBytes >> 20U);
    }
}

void readWholeFile(const std::filesystem::path& path, std::vector<std::byte>& bytes)
{
    const std::int64_t count = fileBytes(path);
    checkFileBytes(count, path.string());
    readFilePart(path, 0, count, bytes);
}

} // namespace lockstep
