// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/file_tree.h"

#include "base/error.h"
#include "dataset/files/archive_reader.h"
#include "dataset/files/file_bytes.h"

#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Whether the file, or a folder that it lies in, is of the system.
bool isLeftOut(const fs::path& name)
{
    return std::any_of(
        name.begin(), name.end(), [](const fs::path& part) { return isOfSystem(part.string()); });
}

/// Zip archives begin with a file, or, if they are empty, with their directory.
bool isZip(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4> bytes{};
    file.read(bytes.data(), bytes.size());
    const std::string_view start(bytes.data(), bytes.size());
    return file && (start == "PK\3\4" || start == "PK\5\6");
}

/// The content of the entry that the reader has reached.
std::vector<std::byte> readEntry(ArchiveReader& reader, const std::string& name)
{
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    std::vector<std::byte> content;
    for (std::size_t bytes = 1; bytes > 0;) {
        const std::size_t used = content.size();
        content.resize(used + kPiece);
        try {
            bytes = reader.read(std::span(content).subspan(used));
        } catch (const Error& error) {
            fail(error.code(), "{}: {}", name, error.what());
        }
        content.resize(used + bytes);
        checkFileBytes(std::ssize(content), name);
    }
    return content;
}

} // namespace

FileTree::FileTree(fs::path root) : m_root(std::move(root))
{
    std::error_code ignored;
    if (!fs::exists(m_root, ignored)) {
        fail(
            ErrorCode::BadInput,
            "{}: no folder or zip archive of this name exists; give the one with the data set "
            "(dataset.path)",
            m_root.string());
    }
    m_isArchive = !fs::is_directory(m_root, ignored);
    if (m_isArchive && !isZip(m_root)) {
        fail(
            ErrorCode::BadInput,
            "{}: is neither a folder nor a zip archive; give the one with the data set "
            "(dataset.path)",
            m_root.string());
    }
    if (m_isArchive) {
        listArchive();
    } else {
        listFolder();
    }
    std::ranges::sort(m_names);
    const auto twice = std::ranges::adjacent_find(m_names);
    if (twice != m_names.end()) {
        fail(ErrorCode::Data, "{}: this file is there twice", fullName(*twice));
    }
}

void FileTree::listFolder()
{
    FolderWalk found = walkFolder(m_root);
    m_names = std::move(found.files);
    m_leftOut = std::move(found.leftOut);
}

void FileTree::listArchive()
{
    ArchiveReader reader(m_root, ArchiveKind::Zip);
    while (archive_entry* entry = reader.next()) {
        if (archive_entry_filetype(entry) != AE_IFREG) {
            continue;
        }
        if (isLeftOut(reader.name())) {
            m_leftOut.push_back({kOfSystems, reader.name()});
        } else {
            m_names.push_back(reader.name());
        }
    }
}

std::string FileTree::fullName(const std::string& name) const
{
    return m_isArchive ? m_root.string() + ": " + name : (m_root / name).string();
}

void FileTree::read(std::span<const std::string> names, const Visitor& visit) const
{
    if (m_isArchive) {
        readArchive(names, visit);
    } else {
        readFolder(names, visit);
    }
}

void FileTree::readFolder(std::span<const std::string> names, const Visitor& visit) const
{
    for (std::size_t number = 0; number < names.size(); ++number) {
        std::vector<std::byte> content;
        readWholeFile(m_root / names[number], content);
        visit(number, content);
    }
}

void FileTree::readArchive(std::span<const std::string> names, const Visitor& visit) const
{
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (std::size_t number = 0; number < names.size(); ++number) {
        numbers.emplace(names[number], number);
    }
    ArchiveReader reader(m_root, ArchiveKind::Zip);
    for (std::size_t left = names.size(); left > 0;) {
        require(reader.next() != nullptr, "a file of an archive is not there any more");
        if (const auto found = numbers.find(reader.name()); found != numbers.end()) {
            visit(found->second, readEntry(reader, fullName(reader.name())));
            --left;
        }
    }
}

} // namespace lockstep
