// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace lockstep {

/// Unpacks a tar archive (plain or compressed, whatever libarchive knows) into `folder`, each file
/// written under a temporary name, synced and renamed. Only plain files and folders are accepted,
/// and only under names that stay within `folder`; files that are there already are replaced.
/// `onBytes` is called with the number of bytes of the archive read so far; what it throws is
/// passed on. Throws Error(Data) that names the archive, and the entry, for damaged and for refused
/// content; Error(Io) for files that can't be written. What was unpacked before an error stays.
void unpackArchive(
    const std::filesystem::path& archive, const std::filesystem::path& folder,
    const std::function<void(std::int64_t)>& onBytes);

} // namespace lockstep
