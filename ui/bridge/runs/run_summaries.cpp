// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_summaries.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "engine/base.h"
#include "engine/storage.h"

#include <algorithm>
#include <chrono>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kWhileTraining(2000);
constexpr std::chrono::milliseconds kOtherwise(5000);
/// A folder is there before the files in it.
constexpr std::chrono::milliseconds kSoon(400);

QString runsFolder()
{
    try {
        return toQString(RunFolder::defaultRunsFolder());
    } catch (const Error&) { // no home
        return {};
    }
}

std::vector<fs::path> allRuns(const QStringList& others)
{
    std::vector<fs::path> folders = RunLibrary::knownRuns();
    for (const QString& other : others) {
        const fs::path folder = toPath(other);
        if (RunFolder::isRun(folder) && std::ranges::find(folders, folder) == folders.end()) {
            folders.push_back(folder);
        }
    }
    return folders;
}

} // namespace

RunSummaries::RunSummaries(QObject* parent)
    : QObject(parent),
      m_reading(
          *this,
          [this](const QStringList& others) { return std::make_shared<const bool>(read(others)); },
          [this](const auto& /*others*/, const auto& /*isWhole*/) { onRefreshed(); })
{
    m_clock.setInterval(kOtherwise);
    connect(&m_clock, &QTimer::timeout, this, &RunSummaries::refresh);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &RunSummaries::refresh);
    connect(&m_folders, &QFileSystemWatcher::directoryChanged, this, &RunSummaries::refreshSoon);
}

RunSummaries::~RunSummaries()
{
    m_isStopped = true; // for whom m_reading waits
}

void RunSummaries::setOthers(const QStringList& folders)
{
    if (folders != m_others) {
        m_others = folders;
        if (m_isWatching) {
            refresh();
        }
    }
}

void RunSummaries::setWatching(bool isWatching)
{
    if (isWatching == m_isWatching) {
        return;
    }
    m_isWatching = isWatching;
    if (isWatching) {
        refresh();
        m_clock.start();
    } else {
        m_clock.stop();
        m_soon.stop();
        if (!m_folders.directories().isEmpty()) {
            m_folders.removePaths(m_folders.directories());
        }
    }
}

void RunSummaries::refresh()
{
    m_reading.request(m_others);
}

/// On the thread.
bool RunSummaries::read(const QStringList& others)
{
    std::map<fs::path, RunStamp> stamps;
    QStringList folders;
    for (const fs::path& folder : allRuns(others)) {
        folders.append(toQString(folder));
        stamps[folder] = {};
    }
    m_mailbox.post([this, folders] { emit listed(folders); });
    for (auto& [folder, stamp] : stamps) {
        if (m_isStopped) {
            return false;
        }
        stamp = runStamp(folder); // before what is read: it may change meanwhile
        const auto known = m_stamps.find(folder);
        if (known == m_stamps.end() || known->second != stamp) {
            m_mailbox.post([this, row = readRunSummary(folder)] { onSummarised(row); });
        }
    }
    m_stamps = std::move(stamps);
    return true;
}

void RunSummaries::refreshSoon()
{
    if (m_isWatching && !m_soon.isActive()) {
        m_soon.start();
    }
}

void RunSummaries::onSummarised(const RunRow& row)
{
    if (row.stage == RunStage::Training) {
        m_training.insert(row.folder);
    } else {
        m_training.erase(row.folder);
    }
    emit summarised(row);
}

void RunSummaries::onRefreshed()
{
    m_clock.setInterval(m_training.empty() ? kOtherwise : kWhileTraining);
    const QString folder = runsFolder();
    std::error_code ignored;
    if (m_isWatching && m_folders.directories().isEmpty()
        && fs::is_directory(toPath(folder), ignored)) {
        m_folders.addPath(folder); // which the first run makes
    }
    emit refreshed();
}

} // namespace lockstep::ui
