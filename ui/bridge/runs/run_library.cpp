// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_library.h"

#include "bridge/base/file_names.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Who comes back after more than that has another thing in mind.
constexpr std::chrono::hours kRecent{24 * 7};

/// When the store or its log was last written.
fs::file_time_type lastWritten(const fs::path& folder)
{
    fs::path log = RunFolder::storeFileOf(folder);
    std::error_code ignored;
    const fs::file_time_type store = fs::last_write_time(log, ignored);
    log += "-wal";
    return fs::exists(log, ignored) ? std::max(store, fs::last_write_time(log, ignored)) : store;
}

std::optional<InterruptedRun> interruptedRun(const fs::path& folder)
{
    if (!RunFolder::isRun(folder) || RunLock::writerOf(folder)) {
        return std::nullopt;
    }
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    const std::map<std::string, std::string> facts = reader.values();
    if (recordedState(facts) != RunState::Running || facts.contains(kRecordedByFact)) {
        return std::nullopt;
    }
    return InterruptedRun{folder, reader.nextStep(), configOfRun(folder).steps};
}

} // namespace

RunLibrary::RunLibrary(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings)
{
}

QStringList RunLibrary::recentRuns() const
{
    QStringList runs = m_settings.value(kRuns).toStringList();
    runs.removeIf([](const QString& run) { return !RunFolder::isRun(toPath(run)); });
    return runs;
}

QStringList RunLibrary::recentCheckpoints() const
{
    QStringList files = m_settings.value(kCheckpoints).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo(file).isFile(); });
    return files;
}

void RunLibrary::forgetRun(const fs::path& folder)
{
    QStringList runs = m_settings.value(kRuns).toStringList();
    runs.removeAll(toQString(folder));
    m_settings.setValue(kRuns, runs);
    emit recentChanged();
}

void RunLibrary::add(QLatin1String key, const fs::path& path)
{
    QStringList entries = m_settings.value(key).toStringList();
    const QString added = QFileInfo(toQString(path)).absoluteFilePath();
    entries.removeAll(added);
    entries.prepend(added);
    m_settings.setValue(key, entries.mid(0, kMostRecent));
    emit recentChanged();
}

void RunLibrary::clear(QLatin1String key)
{
    m_settings.remove(key);
    emit recentChanged();
}

std::vector<fs::path> RunLibrary::knownRuns()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    try {
        for (const auto& entry : fs::directory_iterator(runsFolder())) {
            if (RunFolder::isRun(entry.path())) {
                found.emplace_back(lastWritten(entry.path()), entry.path());
            }
        }
    } catch (const std::runtime_error&) { // no such folder, no home: no runs
        return {};
    }
    std::ranges::sort(found, std::greater());
    std::vector<fs::path> paths;
    std::ranges::transform(found, std::back_inserter(paths), [](auto& run) { return run.second; });
    return paths;
}

fs::path RunLibrary::runsFolder()
{
    try {
        return RunFolder::defaultRunsFolder();
    } catch (const Error&) {
        return {};
    }
}

std::vector<CheckpointItem> RunLibrary::checkpointsOf(const fs::path& run)
{
    std::vector<CheckpointItem> items;
    try {
        for (const CheckpointFile& file : listCheckpoints(RunFolder::checkpointsOf(run))) {
            const QFileInfo info(toQString(file.path));
            items.push_back(
                {file.step, info.filePath(), info.size(), info.lastModified(), {}, file.isPinned});
        }
    } catch (const Error&) { // can't be read: nothing to offer
    }
    return items;
}

QString InterruptedRun::key() const
{
    return toQString(folder) + QLatin1Char('@') + QString::number(step);
}

std::optional<InterruptedRun> findInterruptedRun(
    const std::vector<fs::path>& folders, const QStringList& asked)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> recent;
    const fs::file_time_type since = fs::file_time_type::clock::now() - kRecent;
    for (const fs::path& folder : folders) {
        const fs::file_time_type written = lastWritten(folder);
        if (written >= since) {
            recent.emplace_back(written, folder);
        }
    }
    std::sort(recent.rbegin(), recent.rend());
    for (const auto& [written, folder] : recent) {
        try {
            auto found = interruptedRun(folder);
            if (found && !asked.contains(found->key())) {
                return found;
            }
        } catch (const Error&) { // the table of runs shows what is wrong with it
        }
    }
    return std::nullopt;
}

} // namespace lockstep::ui
