// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "models/runs/run_table_model.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>

namespace lockstep::ui {

/// What a run's files look like from outside: as long as this stays the same, so does its summary.
/// The process that trains it, then time and size of configuration, title, store and its log.
using RunStamp = std::vector<std::int64_t>;
RunStamp runStamp(const std::filesystem::path& folder);

/// The row of a run in the table of runs; one that can't be read says why. Reads files, a few
/// milliseconds whatever the length of the run: any thread.
RunRow readRunSummary(const std::filesystem::path& folder);

/// Keeps an eye on all runs: those in the default place and others that are named. Reads on a
/// thread of its own, and only what has changed. Lives in the GUI thread.
class RunSummaries : public QObject
{
    Q_OBJECT

public:
    explicit RunSummaries(QObject* parent = nullptr);
    ~RunSummaries() override;

    /// Folders of runs outside the default place.
    void setOthers(const QStringList& folders);
    /// While someone looks, it looks by itself, too: at runs that are being trained every two
    /// seconds, at the others now and then.
    void setWatching(bool isWatching);

public slots:
    void refresh();
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
    [[nodiscard]] bool read(const QStringList& others);
    void onSummarised(const RunRow& row);
    void onRefreshed();

    QStringList m_others;
    QFileSystemWatcher m_folders;
    QTimer m_clock;
    QTimer m_soon;
    bool m_isWatching = false;
    std::set<QString> m_training;
    std::map<std::filesystem::path, RunStamp> m_stamps; ///< of what was read; of the thread alone
    std::atomic<bool> m_isStopped = false;
    Mailbox m_mailbox{*this};
    LatestRequest<QStringList, bool> m_reading; ///< whether it came to its end
};

} // namespace lockstep::ui
