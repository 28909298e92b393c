// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Whether a file or folder belongs to a file system or a tool and never to data: hidden ones,
/// "@eaDir", "__MACOSX", "Thumbs.db" and the like.
[[nodiscard]] bool isOfSystem(std::string_view name);

/// What LeftOutFile::kind calls them.
inline constexpr const char* kOfSystems = "of systems and tools";

/// A file or folder that is not gone into, and why.
struct LeftOutFile
{
    std::string kind; ///< as DataAccount takes it
    std::string name;

    bool operator==(const LeftOutFile&) const = default;
};

/// What lies in a folder. Links count as what they lead to.
struct FolderEntries
{
    std::vector<std::string> folders;
    std::vector<std::string> files;
    std::vector<LeftOutFile> leftOut; ///< of the system, and links whose target is gone
};

/// Names alone, sorted. Throws Error(Io) that names the folder.
FolderEntries entriesOf(const std::filesystem::path& folder);

/// All files in a folder and below, as paths relative to it, sorted. Links are followed, but for
/// those that lead to a folder they lie in.
struct FolderWalk
{
    std::vector<std::string> files;
    std::vector<LeftOutFile> leftOut;
};

/// Throws Error(Io) that names the folder that can't be read.
FolderWalk walkFolder(const std::filesystem::path& folder);

/// Whether any file in a folder or below fits; stops at the first. Throws as walkFolder.
bool anyBelow(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::path& file)>& fits);

} // namespace lockstep
