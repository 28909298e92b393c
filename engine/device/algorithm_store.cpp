// SPDX-License-Identifier: Apache-2.0
#include "device/algorithm_store.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/user_folder.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr char kTab = '\t';

/// "machine<tab>work" to "algorithm<tab>milliseconds".
using Lines = std::map<std::string, std::string>;

/// Keeps other processes out of the folder's store until it goes.
class FolderLock
{
public:
    explicit FolderLock(const fs::path& folder)
        : m_descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    {
        if (m_descriptor < 0 || flock(m_descriptor, LOCK_EX) != 0) {
            const std::error_code error(errno, std::generic_category());
            fail(ErrorCode::Io, "{}: can't be locked: {}", folder.string(), error.message());
        }
    }
    ~FolderLock() { close(m_descriptor); }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int m_descriptor;
};

/// Adds the choices of a file that need not be there. The number of the first line that is none; 0:
/// all are.
int readLines(const fs::path& path, Lines& lines)
{
    std::ifstream file(path);
    int damaged = 0;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const std::size_t machine = line.find(kTab);
        const std::size_t work = line.find(kTab, machine + 1);
        if (line.starts_with('#')) {
            continue;
        }
        if (std::ranges::count(line, kTab) == 3 && line.find(kTab, work + 1) > work + 1) {
            lines[line.substr(0, work)] = line.substr(work + 1);
        } else if (damaged == 0) {
            damaged = number;
        }
    }
    return damaged;
}

} // namespace

fs::path AlgorithmStore::defaultFile()
{
    const fs::path cache = userFolder("XDG_CACHE_HOME", ".cache");
    return cache.empty() ? cache : (cache / "lockstep" / "algorithms.txt").lexically_normal();
}

int AlgorithmStore::forget(const fs::path& file)
{
    Lines lines;
    std::error_code error;
    if (!fs::exists(file, error)) {
        return 0;
    }
    const FolderLock lock(file.parent_path());
    readLines(file, lines);
    if (!fs::remove(file, error) && error) {
        fail(ErrorCode::Io, "{}: can't be removed: {}", file.string(), error.message());
    }
    return static_cast<int>(lines.size());
}

AlgorithmStore::AlgorithmStore(fs::path file, std::string machine, std::string heading)
    : m_file(std::move(file)), m_machine(std::move(machine)), m_heading(std::move(heading))
{
}

std::string AlgorithmStore::find(const std::string& work)
{
    if (!std::exchange(m_isRead, true)) {
        if (const int damaged = readLines(m_file, m_lines); damaged > 0) {
            noteOnce(fmt::format(
                "{}, line {}: not a choice of an algorithm; it is measured anew", m_file.string(),
                damaged));
        }
    }
    const auto found = m_lines.find(m_machine + kTab + work);
    return found == m_lines.end() ? "" : found->second.substr(0, found->second.find(kTab));
}

void AlgorithmStore::keep(
    const std::string& work, const std::string& algorithm, double milliseconds)
{
    const std::string key = m_machine + kTab + work;
    m_lines[key] = fmt::format("{}{}{:.6f}", algorithm, kTab, milliseconds);
    if (m_file.empty()) {
        return;
    }
    try {
        fs::create_directories(m_file.parent_path());
        const FolderLock lock(m_file.parent_path());
        Lines lines; // with what others have written since
        readLines(m_file, lines);
        lines[key] = m_lines[key];
        std::string text = m_heading;
        for (const auto& [start, rest] : lines) {
            text.append(start).append(1, kTab).append(rest).append(1, '\n');
        }
        AtomicFile file(m_file);
        file.write(text);
        file.commit();
    } catch (const std::exception& error) {
        noteOnce(fmt::format("the choices of algorithms are not kept: {}", error.what()));
    }
}

std::vector<std::string> AlgorithmStore::takeNotes()
{
    return std::exchange(m_notes, {});
}

void AlgorithmStore::noteOnce(const std::string& text)
{
    if (!std::exchange(m_hasNoted, true)) {
        m_notes.push_back(text);
    }
}

} // namespace lockstep
