// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep::test {

/// What an archive is made of.
struct ArchiveEntry
{
    std::string name;
    std::string content = {};
    unsigned type = AE_IFREG;
    std::string link = {}; ///< target of a symbolic link; of a hard link if the type is AE_IFREG
};

/// A .tar.gz of these entries, in this order, as the bytes of its file.
inline std::string makeArchive(const std::vector<ArchiveEntry>& entries)
{
    archive* writer = archive_write_new();
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_pax_restricted(writer);
    std::size_t most = 65'536;
    for (const auto& entry : entries) {
        most += 2 * entry.content.size() + 4096;
    }
    std::string bytes(most, '\0');
    std::size_t used = 0;
    archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
    for (const auto& entry : entries) {
        archive_entry* header = archive_entry_new();
        archive_entry_set_pathname(header, entry.name.c_str());
        archive_entry_set_filetype(header, entry.type);
        archive_entry_set_perm(header, 0644);
        archive_entry_set_size(header, static_cast<la_int64_t>(entry.content.size()));
        if (entry.type == AE_IFLNK) {
            archive_entry_set_symlink(header, entry.link.c_str());
        } else if (!entry.link.empty()) {
            archive_entry_set_hardlink(header, entry.link.c_str());
        }
        archive_write_header(writer, header);
        archive_write_data(writer, entry.content.data(), entry.content.size());
        archive_entry_free(header);
    }
    if (archive_write_close(writer) != ARCHIVE_OK) {
        throw std::runtime_error("can't make an archive");
    }
    archive_write_free(writer);
    bytes.resize(used);
    return bytes;
}

} // namespace lockstep::test
