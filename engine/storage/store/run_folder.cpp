// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_folder.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/user_folder.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

void check(const std::error_code& error, const fs::path& folder, const char* what)
{
    if (error) {
        fail(
            ErrorCode::Io, "{}: can't {} the run folder ({}); choose another one", folder.string(),
            what, error.message());
    }
}

/// Whether nothing is there, or only the model of the run and what a process leaves that is killed
/// while it makes one.
bool isFree(const fs::path& folder)
{
    std::error_code error;
    if (!fs::exists(folder, error)) {
        return true;
    }
    if (!fs::is_directory(folder, error)) {
        return false;
    }
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path& file = entry->path();
        if (file.filename() != RunLock::kFileName && file != RunFolder::modelFileOf(folder)
            && file != AtomicFile::temporaryName(RunFolder::configurationFileOf(folder))) {
            return false;
        }
    }
    check(error, folder, "look into");
    return true;
}

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

// A model's name as part of a file name.
std::string asFileName(std::string name)
{
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
    return name;
}

} // namespace

RunFolder::RunFolder(fs::path path, RunLock lock) : m_path(std::move(path)), m_lock(std::move(lock))
{
}

RunFolder RunFolder::fill(const fs::path& folder, const std::string& configuration)
{
    RunFolder run(folder, RunLock(folder));
    run.saveConfiguration(configuration);
    std::error_code error;
    fs::create_directory(checkpointsOf(folder), error);
    check(error, folder, "write to");
    return run;
}

void RunFolder::saveConfiguration(const std::string& configuration) const
{
    AtomicFile file(configurationFileOf(m_path));
    file.write(configuration);
    file.commit();
}

void RunFolder::removeStore() const
{
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        fs::remove(storeFile().string() + suffix, ignored);
    }
}

void RunFolder::discard() const
{
    removeStore();
    std::error_code ignored;
    // Folders are only removed if they are empty.
    for (const fs::path& file :
         {checkpoints(), configurationFileOf(m_path), m_path / RunLock::kFileName, m_path}) {
        fs::remove(file, ignored);
    }
}

void RunFolder::checkFree(const fs::path& folder)
{
    if (isRun(folder)) {
        fail(
            ErrorCode::BadInput,
            "{}: a run is already there; go on with it (--resume), or choose another folder",
            folder.string());
    }
    if (!isFree(folder)) {
        fail(
            ErrorCode::BadInput, "{}: not an empty folder; choose another one for the run",
            folder.string());
    }
}

RunFolder RunFolder::create(const fs::path& folder, const std::string& configuration)
{
    checkFree(folder);
    std::error_code error;
    fs::create_directories(folder, error);
    check(error, folder, "create");
    return fill(folder, configuration);
}

RunFolder RunFolder::createDefault(const std::string& model, const std::string& configuration)
{
    const fs::path runs = defaultRunsFolder();
    std::error_code error;
    fs::create_directories(runs, error);
    check(error, runs, "create");
    const std::string name = today() + "-" + asFileName(model);
    fs::path folder = runs / name;
    // Making the folder decides, so that two programs that start at once get two runs.
    for (int number = 2; !fs::create_directory(folder, error); ++number) {
        check(error, folder, "create");
        folder = runs / fmt::format("{}-{}", name, number);
    }
    return fill(folder, configuration);
}

RunFolder RunFolder::resume(const fs::path& folder)
{
    if (!isRun(folder)) {
        fail(ErrorCode::BadInput, "{}: no run to continue (there is no run.toml)", folder.string());
    }
    RunLock lock(folder);
    std::error_code error;
    fs::remove(AtomicFile::temporaryName(configurationFileOf(folder)), error);
    check(error, folder, "write to");
    return {folder, std::move(lock)};
}

RunFolder RunFolder::remake(const fs::path& folder, const std::string& configuration)
{
    RunFolder run(folder, RunLock(folder));
    run.removeStore();
    run.saveConfiguration(configuration);
    return run;
}

bool RunFolder::isRun(const fs::path& folder)
{
    std::error_code ignored;
    return fs::exists(configurationFileOf(folder), ignored);
}

fs::path RunFolder::configurationFileOf(const fs::path& folder)
{
    return folder / "run.toml";
}

fs::path RunFolder::storeFileOf(const fs::path& folder)
{
    return folder / "run.db";
}

fs::path RunFolder::titleFileOf(const fs::path& folder)
{
    return folder / "title.txt";
}

fs::path RunFolder::checkpointsOf(const fs::path& folder)
{
    return folder / "checkpoints";
}

fs::path RunFolder::eventsOf(const fs::path& folder)
{
    return folder / "events";
}

fs::path RunFolder::modelFileOf(const fs::path& folder)
{
    return folder / "model.toml";
}

std::string RunFolder::configurationOf(const fs::path& folder)
{
    const fs::path path = configurationFileOf(folder);
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad()) {
        fail(ErrorCode::Io, "{}: can't read it{}", path.string(), errnoText());
    }
    return text;
}

fs::path RunFolder::defaultRunsFolder()
{
    const fs::path data = userFolder("XDG_DATA_HOME", ".local/share");
    if (data.empty()) {
        fail(ErrorCode::BadInput, "no folder for runs: set HOME, or name one with --run");
    }
    return data / "lockstep" / "runs";
}

} // namespace lockstep
