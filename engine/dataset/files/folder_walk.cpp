// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/folder_walk.h"

#include "base/error.h"
#include "dataset/files/file_bytes.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Beside what is hidden; in lower case. Of Synology's, QNAP's and other disks in the network,
/// Windows, Macintosh, Linux and Python.
constexpr std::array<std::string_view, 13> kOfSystem{
    "@eadir",     "@recycle",    "@recently-snapshot", "#recycle",
    "#snapshot",  "__macosx",    "$recycle.bin",       "system volume information",
    "lost+found", "__pycache__", "thumbs.db",          "desktop.ini",
    "ehthumbs.db"};

/// What the system knows a folder by, whatever leads to it; zeros for one that is not there.
using FolderId = std::pair<dev_t, ino_t>;

FolderId idOf(const fs::path& folder)
{
    struct stat status = {};
    return stat(folder.c_str(), &status) == 0 ? FolderId(status.st_dev, status.st_ino) : FolderId();
}

/// Goes through folders; into none that it is in already, or that the root lies in.
class Walker
{
public:
    using Visit = std::function<bool(const std::string& file)>; ///< false: enough

    Walker(const fs::path& root, Visit visit) : m_root(root), m_visit(std::move(visit))
    {
        std::error_code ignored;
        for (fs::path above = fs::canonical(root, ignored); above.has_relative_path();) {
            above = above.parent_path();
            m_above.push_back(idOf(above));
        }
    }

    bool walk(const std::string& below)
    {
        const fs::path folder = m_root / below;
        const FolderId id = idOf(folder);
        if (std::ranges::find(m_above, id) != m_above.end()) {
            m_leftOut.push_back({"by a link to a folder above", below});
            return true;
        }
        m_above.push_back(id);
        const FolderEntries entries = entriesOf(folder);
        const std::string start = below.empty() ? below : below + "/";
        for (const LeftOutFile& left : entries.leftOut) {
            m_leftOut.push_back({left.kind, start + left.name});
        }
        bool goesOn = std::ranges::all_of(
            entries.files, [&](const std::string& name) { return m_visit(start + name); });
        for (std::size_t i = 0; goesOn && i < entries.folders.size(); ++i) {
            goesOn = walk(start + entries.folders[i]);
        }
        m_above.pop_back();
        return goesOn;
    }

    std::vector<LeftOutFile> takeLeftOut() { return std::move(m_leftOut); }

private:
    fs::path m_root;
    Visit m_visit;
    std::vector<FolderId> m_above;
    std::vector<LeftOutFile> m_leftOut;
};

} // namespace

bool isOfSystem(std::string_view name)
{
    return name.starts_with('.')
           || std::ranges::find(kOfSystem, lowerCase(name)) != kOfSystem.end();
}

FolderEntries entriesOf(const fs::path& folder)
{
    FolderEntries entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (isOfSystem(name)) {
            entries.leftOut.push_back({kOfSystems, std::move(name)});
        } else if (entry->is_directory(ignored)) {
            entries.folders.push_back(std::move(name));
        } else if (entry->is_regular_file(ignored)) {
            entries.files.push_back(std::move(name));
        } else {
            const bool isLink = entry->is_symlink(ignored);
            entries.leftOut.push_back(
                {isLink ? "by a link whose target is gone" : "of no regular kind",
                 std::move(name)});
        }
    }
    if (error) {
        fail(ErrorCode::Io, "{}: can't be read ({})", folder.string(), error.message());
    }
    std::ranges::sort(entries.folders);
    std::ranges::sort(entries.files);
    std::ranges::sort(entries.leftOut, {}, &LeftOutFile::name);
    return entries;
}

FolderWalk walkFolder(const fs::path& folder)
{
    FolderWalk found;
    Walker walker(folder, [&](const std::string& file) {
        found.files.push_back(file);
        return true;
    });
    walker.walk({});
    found.leftOut = walker.takeLeftOut();
    std::ranges::sort(found.files);
    return found;
}

bool anyBelow(const fs::path& folder, const std::function<bool(const fs::path& file)>& fits)
{
    // Nearly always one of the first entries does, however many there are.
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end;
         entry.increment(ignored)) {
        if (!isOfSystem(entry->path().filename().string()) && entry->is_regular_file(ignored)
            && fits(entry->path())) {
            return true;
        }
    }
    Walker walker(folder, [&](const std::string& file) { return !fits(folder / file); });
    return !walker.walk({});
}

} // namespace lockstep
