// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_summaries.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summary.h"
#include "engine/base.h"
#include "engine/storage.h"

#include <atomic>
#include <chrono>
#include <map>

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

} // namespace

/// What was read already; belongs to the thread that reads, except for the flag.
class RunSummaries::Reader
{
public:
    explicit Reader(RunSummaries& owner) : m_owner(owner) {}

    std::atomic<bool> isStopped = false;

    void read(const QStringList& others)
    {
        std::map<fs::path, RunStamp> stamps;
        QStringList folders;
        for (const fs::path& folder : all(others)) {
            folders.append(toQString(folder));
            stamps[folder] = {};
        }
        tell([folders](RunSummaries& owner) { emit owner.listed(folders); });
        for (auto& [folder, stamp] : stamps) {
            if (isStopped) {
                return;
            }
            stamp = runStamp(folder); // before what is read: it may change meanwhile
            const auto known = m_stamps.find(folder);
            if (known == m_stamps.end() || known->second != stamp) {
                tell([row = readRunSummary(folder)](RunSummaries& owner) {
                    owner.onSummarised(row);
                });
            }
        }
        m_stamps = std::move(stamps);
        tell([](RunSummaries& owner) { owner.onRefreshed(); });
    }

private:
    static std::vector<fs::path> all(const QStringList& others)
    {
        std::vector<fs::path> folders = RunLibrary::knownRuns();
        for (const QString& other : others) {
            const fs::path folder = toPath(other);
            if (RunFolder::isRun(folder)
                && std::find(folders.begin(), folders.end(), folder) == folders.end()) {
                folders.push_back(folder);
            }
        }
        return folders;
    }

    template<class Function>
    void tell(Function function)
    {
        QMetaObject::invokeMethod(
            &m_owner, [&owner = m_owner, function] { function(owner); }, Qt::QueuedConnection);
    }

    RunSummaries& m_owner; // waits for this thread before it goes
    std::map<fs::path, RunStamp> m_stamps;
};

RunSummaries::RunSummaries(QObject* parent)
    : QObject(parent), m_reader(std::make_shared<Reader>(*this))
{
    m_thread.setMaxThreadCount(1);
    m_clock.setInterval(kOtherwise);
    connect(&m_clock, &QTimer::timeout, this, &RunSummaries::refresh);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &RunSummaries::refresh);
    connect(&m_folders, &QFileSystemWatcher::directoryChanged, this, &RunSummaries::refreshSoon);
}

RunSummaries::~RunSummaries()
{
    m_reader->isStopped = true;
    m_thread.waitForDone();
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
    if (m_isReading) {
        m_isWanted = true;
        return;
    }
    m_isReading = true;
    m_isWanted = false;
    m_thread.start([reader = m_reader, others = m_others] { reader->read(others); });
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
    m_isReading = false;
    m_clock.setInterval(m_training.empty() ? kOtherwise : kWhileTraining);
    const QString folder = runsFolder();
    std::error_code ignored;
    if (m_isWatching && m_folders.directories().isEmpty()
        && fs::is_directory(toPath(folder), ignored)) {
        m_folders.addPath(folder); // which the first run makes
    }
    emit refreshed();
    if (m_isWanted) {
        refresh();
    }
}

} // namespace lockstep::ui
