// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_library.h"

#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/storage.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <system_error>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

QString runsKey()
{
    return QStringLiteral("recent/runs");
}

QString checkpointsKey()
{
    return QStringLiteral("recent/checkpoints");
}

CheckpointItem itemOf(const CheckpointFile& file)
{
    const QFileInfo info(toQString(file.path));
    CheckpointItem item{file.step, info.filePath(), info.size(), info.lastModified()};
    item.isPinned = file.isPinned;
    return item;
}

fs::file_time_type writtenAt(const fs::path& run)
{
    std::error_code ignored;
    return fs::last_write_time(RunFolder::storeFileOf(run), ignored);
}

} // namespace

RunLibrary::RunLibrary(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings)
{
}

QStringList RunLibrary::recentRuns() const
{
    QStringList runs = m_settings.value(runsKey()).toStringList();
    runs.removeIf([](const QString& run) { return !RunFolder::isRun(toPath(run)); });
    return runs;
}

QStringList RunLibrary::recentCheckpoints() const
{
    QStringList files = m_settings.value(checkpointsKey()).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo(file).isFile(); });
    return files;
}

void RunLibrary::addRun(const fs::path& folder)
{
    add(runsKey(), folder);
}

void RunLibrary::addCheckpoint(const fs::path& file)
{
    add(checkpointsKey(), file);
}

void RunLibrary::forgetRun(const fs::path& folder)
{
    QStringList runs = m_settings.value(runsKey()).toStringList();
    runs.removeAll(toQString(folder));
    m_settings.setValue(runsKey(), runs);
    emit recentChanged();
}

void RunLibrary::clearRuns()
{
    clear(runsKey());
}

void RunLibrary::clearCheckpoints()
{
    clear(checkpointsKey());
}

void RunLibrary::add(const QString& key, const fs::path& path)
{
    QStringList entries = m_settings.value(key).toStringList();
    const QString added = QFileInfo(toQString(path)).absoluteFilePath();
    entries.removeAll(added);
    entries.prepend(added);
    m_settings.setValue(key, entries.mid(0, kMostRecent));
    emit recentChanged();
}

void RunLibrary::clear(const QString& key)
{
    m_settings.remove(key);
    emit recentChanged();
}

std::vector<fs::path> RunLibrary::knownRuns()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    try {
        for (const auto& entry : fs::directory_iterator(RunFolder::defaultRunsFolder())) {
            if (RunFolder::isRun(entry.path())) {
                found.emplace_back(writtenAt(entry.path()), entry.path());
            }
        }
    } catch (const std::runtime_error&) { // no such folder, no home: no runs
        return {};
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    std::vector<fs::path> runs;
    runs.reserve(found.size());
    for (auto& [time, path] : found) {
        runs.push_back(std::move(path));
    }
    return runs;
}

bool RunLibrary::isInDefaultPlace(const fs::path& folder)
{
    try {
        return folder.parent_path() == RunFolder::defaultRunsFolder();
    } catch (const Error&) { // no home
        return false;
    }
}

std::vector<CheckpointItem> RunLibrary::checkpointsOf(const fs::path& run)
{
    std::vector<CheckpointItem> items;
    try {
        for (const CheckpointFile& file : listCheckpoints(RunFolder::checkpointsOf(run))) {
            items.push_back(itemOf(file));
        }
    } catch (const Error&) { // can't be read: nothing to offer
        return {};
    }
    return items;
}

} // namespace lockstep::ui
