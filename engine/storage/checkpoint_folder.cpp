// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint_folder.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".safetensors";

std::string fileName(std::int64_t step)
{
    return fmt::format("{}{:09}{}", kPrefix, step, kSuffix);
}

// The step in the name of a checkpoint; empty if it is not the name of one.
std::optional<std::int64_t> stepOf(const std::string& name)
{
    std::int64_t step = -1;
    if (name.size() > kPrefix.size()) {
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), step);
    }
    return step >= 0 && name == fileName(step) ? std::optional(step) : std::nullopt;
}

void check(const std::error_code& error, const fs::path& path, const char* what)
{
    if (error) {
        fail(ErrorCode::Io, "{}: can't {} it ({})", path.string(), what, error.message());
    }
}

std::vector<fs::path> filesOf(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    if (error == std::errc::no_such_file_or_directory) {
        return files;
    }
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        files.push_back(entry->path());
    }
    check(error, folder, "list");
    return files;
}

void removeFile(const fs::path& file)
{
    std::error_code error;
    fs::remove(file, error);
    check(error, file, "remove");
}

} // namespace

std::vector<CheckpointFile> listCheckpoints(const fs::path& folder)
{
    std::vector<CheckpointFile> checkpoints;
    for (const auto& file : filesOf(folder)) {
        if (const auto step = stepOf(file.filename().string())) {
            checkpoints.push_back({*step, file});
        }
    }
    std::sort(checkpoints.begin(), checkpoints.end(), [](const auto& a, const auto& b) {
        return a.step < b.step;
    });
    return checkpoints;
}

std::optional<LoadedCheckpoint> newestGoodCheckpoint(
    const fs::path& folder, const std::function<void(const std::string&)>& onSkipped)
{
    auto files = listCheckpoints(folder);
    std::reverse(files.begin(), files.end());
    for (auto& file : files) {
        try {
            Checkpoint checkpoint = readCheckpoint(file.path);
            return LoadedCheckpoint{std::move(file), std::move(checkpoint)};
        } catch (const Error& error) {
            onSkipped(fmt::format("skipped a checkpoint: {}", error.what()));
        }
    }
    return std::nullopt;
}

CheckpointFolder::CheckpointFolder(fs::path folder, int keep)
    : m_folder(std::move(folder)), m_keep(static_cast<std::size_t>(std::max(keep, 0)))
{
    if (keep < 1) {
        fail(ErrorCode::BadInput, "checkpoint.keep is {}: keep at least 1 checkpoint", keep);
    }
    std::error_code error;
    fs::create_directories(m_folder, error);
    check(error, m_folder, "create");
    removeLeftovers();
}

void CheckpointFolder::removeLeftovers() const
{
    for (const auto& file : filesOf(m_folder)) {
        const fs::path finished = file.parent_path() / file.stem();
        if (stepOf(finished.filename().string()) && file == AtomicFile::temporaryName(finished)) {
            removeFile(file);
        }
    }
}

fs::path CheckpointFolder::save(const Checkpoint& checkpoint)
{
    fs::path file = m_folder / fileName(checkpoint.step);
    writeCheckpoint(checkpoint, file);
    removeOldest(file);
    return file;
}

void CheckpointFolder::removeOldest(const fs::path& justWritten) const
{
    const auto files = listCheckpoints(m_folder);
    for (std::size_t i = 0; i + m_keep < files.size(); ++i) {
        if (files[i].path != justWritten) {
            removeFile(files[i].path);
        }
    }
}

std::optional<fs::path> CheckpointFolder::setAsideAfter(std::int64_t step)
{
    std::optional<fs::path> aside;
    for (const auto& file : listCheckpoints(m_folder)) {
        if (file.step <= step) {
            continue;
        }
        std::error_code error;
        for (int number = 1; !aside; ++number) {
            const fs::path candidate = m_folder / fmt::format("abandoned-{}", number);
            if (fs::create_directory(candidate, error)) {
                aside = candidate;
            }
            check(error, candidate, "create");
        }
        fs::rename(file.path, *aside / file.path.filename(), error);
        check(error, file.path, "set aside");
    }
    return aside;
}

} // namespace lockstep
