// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/machines.h"
#include "engine/storage.h"
#include "models/runs/run_table_model.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lockstep::ui {

/// The row of a run in the table of runs; one that can't be read says why. Reads files, a few
/// milliseconds whatever the length of the run: any thread.
RunRow readRunSummary(const std::filesystem::path& folder);
/// The same of a run on another machine: what that says of it, and the rest from its mirror.
RunRow readRunSummary(const std::filesystem::path& mirror, const RemoteRun& there);

/// What came of a run, in its row: steps, losses, accuracies and speed. Errors as RunStoreReader.
void takeResults(RunRow& row, const RunStoreReader& store);

/// Keeps an eye on all runs: those in the default place and others that are named, or those on
/// another machine. Reads on a thread of its own, and only what has changed. Lives in the GUI
/// thread.
class RunSummaries : public QObject
{
    Q_OBJECT

public:
    explicit RunSummaries(QObject* parent = nullptr);
    ~RunSummaries() override { m_isStopped = true; } // for whom m_reading waits

    /// Folders of runs outside the default place.
    void setOthers(const QStringList& folders);
    /// Looks at the runs there instead; null: here.
    void setMachine(std::shared_ptr<RemoteMachine> machine);
    /// While someone looks, it looks by itself, too: at runs that are being trained every two
    /// seconds, at the others now and then.
    void setWatching(bool isWatching);

public slots:
    void refresh() { m_reading.request(m_wanted); }
    /// Soon, if someone looks: something may have changed.
    void refreshSoon();

signals:
    /// All runs that there are. What is new about them follows.
    void listed(const QStringList& folders);
    /// A run that was not known, or has changed.
    void summarised(const lockstep::ui::RunRow& row);
    /// Nothing more comes of the latest refresh().
    void refreshed();

private:
    struct Wanted
    {
        int place = 0; ///< counts the machines
        QStringList others;
        std::shared_ptr<RemoteMachine> machine;
    };
    /// What a row was made of.
    struct Source
    {
        std::filesystem::path folder;
        std::optional<RemoteRun> there;
        RunStamp stamp;

        bool operator==(const Source&) const = default;
    };

    [[nodiscard]] static std::vector<Source> sourcesOf(const Wanted& wanted);
    [[nodiscard]] bool read(const Wanted& wanted);
    void tell(int place, const std::function<void()>& what);
    void onSummarised(const RunRow& row);
    void onRefreshed();

    Wanted m_wanted;
    QFileSystemWatcher m_folders;
    QTimer m_clock;
    QTimer m_soon;
    bool m_isWatching = false;
    std::set<QString> m_training;
    // Of the thread alone.
    int m_placeRead = 0;
    std::map<std::filesystem::path, Source> m_read;
    std::atomic<bool> m_isStopped = false;
    Mailbox m_mailbox{*this};
    LatestRequest<Wanted, bool> m_reading; ///< whether it came to its end
};

} // namespace lockstep::ui
