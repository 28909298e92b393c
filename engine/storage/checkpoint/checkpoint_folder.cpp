// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/checkpoint_folder.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".safetensors";
constexpr const char* kPinSuffix = ".pin";
constexpr const char* kProbe = "probe.safetensors";

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

/// Removes a file at the end, whatever happened.
struct Removal
{
    fs::path file;
    ~Removal()
    {
        std::error_code ignored;
        fs::remove(file, ignored);
    }
};

fs::path pinOf(fs::path checkpoint)
{
    return checkpoint.replace_extension(kPinSuffix);
}

void checkCheckpoint(const fs::path& file)
{
    std::error_code ignored;
    if (!stepOf(file.filename().string()) || !fs::exists(file, ignored)) {
        fail(
            ErrorCode::BadInput, "{}: not a checkpoint file of a run (step-….safetensors)",
            file.string());
    }
}

} // namespace

std::vector<CheckpointFile> listCheckpoints(const fs::path& folder)
{
    std::vector<CheckpointFile> checkpoints;
    const std::vector<fs::path> files = filesOf(folder);
    const std::set<fs::path> names(files.begin(), files.end());
    for (const auto& file : files) {
        if (const auto step = stepOf(file.filename().string())) {
            checkpoints.push_back({*step, file, names.contains(pinOf(file))});
        }
    }
    std::ranges::sort(checkpoints, {}, &CheckpointFile::step);
    return checkpoints;
}

void setPinned(const fs::path& checkpoint, bool isPinned)
{
    checkCheckpoint(checkpoint);
    if (!isPinned) {
        removeFile(pinOf(checkpoint));
        return;
    }
    AtomicFile(pinOf(checkpoint)).commit();
    try {
        checkCheckpoint(checkpoint); // its run may have deleted it just before
    } catch (const Error&) {
        removeFile(pinOf(checkpoint));
        throw;
    }
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

CheckpointFolder::CheckpointFolder(fs::path folder, const CheckpointRetention& retention)
    : m_folder(std::move(folder)), m_retention(retention)
{
    if (retention.newest < 1) {
        fail(
            ErrorCode::BadInput, "checkpoint.keep is {}: keep at least 1 checkpoint",
            retention.newest);
    }
    if (retention.best < 0) {
        fail(
            ErrorCode::BadInput, "checkpoint.keep_best is {}, but must be at least 0",
            retention.best);
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
        const bool isTemporary = file == AtomicFile::temporaryName(finished);
        const fs::path name = (isTemporary ? finished : file).filename();
        const bool isOurs = stepOf(fs::path(name).replace_extension(kSuffix).string()).has_value();
        if (name == kProbe || (isTemporary && isOurs)) {
            removeFile(file);
        }
    }
}

fs::path CheckpointFolder::add(const Checkpoint& checkpoint) const
{
    fs::path file = m_folder / fileName(checkpoint.step);
    writeCheckpoint(checkpoint, file);
    return file;
}

fs::path CheckpointFolder::save(const Checkpoint& checkpoint)
{
    fs::path file = add(checkpoint);
    removeSuperseded(file);
    return file;
}

bool CheckpointFolder::rate(std::int64_t step, double score)
{
    if (m_retention.best == 0 || std::isnan(score)) {
        return false;
    }
    m_scores[step] = score;
    const auto better = std::ranges::count_if(
        m_scores, [&](const auto& rated) { return rated.first != step && rated.second >= score; });
    return better < m_retention.best;
}

/// Of two that are equally good the older one counts.
std::set<std::int64_t> CheckpointFolder::bestOf(const std::vector<CheckpointFile>& files) const
{
    std::vector<std::pair<double, std::int64_t>> ranking;
    for (const CheckpointFile& file : files) {
        if (const auto score = m_scores.find(file.step); score != m_scores.end()) {
            ranking.emplace_back(-score->second, file.step);
        }
    }
    std::ranges::sort(ranking);
    std::set<std::int64_t> best;
    for (const auto& [score, step] : ranking) {
        if (best.size() < static_cast<std::size_t>(m_retention.best)) {
            best.insert(step);
        }
    }
    return best;
}

void CheckpointFolder::removeSuperseded(const fs::path& justWritten) const
{
    const auto files = listCheckpoints(m_folder);
    const std::set<std::int64_t> best = bestOf(files);
    const auto newest = static_cast<std::size_t>(m_retention.newest);
    for (std::size_t i = 0; i + newest < files.size(); ++i) {
        const CheckpointFile& file = files[i];
        if (file.path != justWritten && !file.isPinned && !best.contains(file.step)) {
            removeFile(file.path);
        }
    }
}

std::uintmax_t CheckpointFolder::probe(const Checkpoint& checkpoint) const
{
    const fs::path file = m_folder / kProbe;
    const Removal removal{file};
    writeCheckpoint(checkpoint, file);
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    check(error, file, "look at");
    const Checkpoint read = readCheckpoint(file);
    if (!(read == checkpoint)) {
        fail(
            ErrorCode::Data, "{}: what was read back is not what was written: choose another disk",
            file.string());
    }
    return bytes;
}

std::optional<fs::path> CheckpointFolder::setAside(
    const std::function<bool(const CheckpointFile&)>& isLeft)
{
    std::optional<fs::path> aside;
    for (const auto& file : listCheckpoints(m_folder)) {
        if (!isLeft(file)) {
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
        if (file.isPinned) {
            const fs::path pin = pinOf(file.path);
            fs::rename(pin, *aside / pin.filename(), error);
            check(error, pin, "set aside");
        }
    }
    return aside;
}

} // namespace lockstep
