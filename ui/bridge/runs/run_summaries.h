// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <memory>
#include <set>

namespace lockstep::ui {

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
    class Reader;

    void onSummarised(const RunRow& row);
    void onRefreshed();

    QStringList m_others;
    QFileSystemWatcher m_folders;
    QTimer m_clock;
    QTimer m_soon;
    bool m_isWatching = false;
    bool m_isReading = false;
    bool m_isWanted = false; ///< again, as soon as what is being read is read
    std::set<QString> m_training;
    std::shared_ptr<Reader> m_reader;
    QThreadPool m_thread;
};

} // namespace lockstep::ui
