// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/files/folder_walk.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// The files of a folder, or of a zip archive without unpacking it, by name. What isOfSystem is
/// left out. Thread-safe.
class FileTree
{
public:
    /// Lists the names. Throws Error(BadInput) if `root` is neither a folder nor a zip archive,
    /// Error(Data) for a damaged archive and for one with two files of one name, Error(Io) for a
    /// folder that can't be read.
    explicit FileTree(std::filesystem::path root);

    /// "KolektorSDD/kos01/Part0.jpg", relative to the root, sorted.
    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return m_names; }
    [[nodiscard]] const std::vector<LeftOutFile>& leftOut() const noexcept { return m_leftOut; }
    /// A file as an error calls it.
    [[nodiscard]] std::string fullName(const std::string& name) const;
    [[nodiscard]] const std::filesystem::path& root() const noexcept { return m_root; }

    /// Takes the number of the file within those that are asked for, and its content.
    using Visitor = std::function<void(std::size_t number, const std::vector<std::byte>& content)>;
    /// Reads files, one by one, in the order in which they lie. Each of `names` is one of names(),
    /// and none is there twice. Throws what `visit` throws, Error(Data) that names the file for
    /// damaged content and for one of more than 256 MiB, Error(Io) where the system refuses to
    /// read.
    void read(std::span<const std::string> names, const Visitor& visit) const;

private:
    void listFolder();
    void listArchive();
    void readFolder(std::span<const std::string> names, const Visitor& visit) const;
    void readArchive(std::span<const std::string> names, const Visitor& visit) const;

    std::filesystem::path m_root;
    bool m_isArchive = false;
    std::vector<std::string> m_names;
    std::vector<LeftOutFile> m_leftOut;
};

} // namespace lockstep
