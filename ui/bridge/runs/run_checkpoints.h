// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/session/live_run.h"
#include "models/runs/checkpoint_model.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace lockstep::ui {

/// The checkpoints of a run with all that its store tells of them, by ascending step: those in its
/// folder, or on the machine that the folder mirrors. Reads files and waits for the machine: any
/// thread but the window's. Empty where they can't be listed; errors as of RemoteMachine.
std::vector<CheckpointItem> readCheckpoints(
    const std::filesystem::path& run, RemoteMachine* machine = nullptr);

/// The checkpoints of the run that the window shows, as they come and go. They are read on a thread
/// of its own. GUI thread.
class RunCheckpoints : public QObject
{
    Q_OBJECT

public:
    /// The run must outlive this object.
    explicit RunCheckpoints(const LiveRun& run, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<CheckpointItem>& items() const noexcept { return m_items; }

public slots:
    /// Reads them anew, soon, and once more when the store has what happened just now.
    void refresh();
    /// Pins a checkpoint of any run, or takes the pin off.
    void setPinned(const QString& file, bool isPinned);

signals:
    void changed();
    /// What could not be done, and why.
    void failed(const QString& text);

private:
    void read();

    struct Wanted
    {
        std::filesystem::path folder;
        std::shared_ptr<RemoteMachine> machine;
    };

    const LiveRun& m_run;
    std::vector<CheckpointItem> m_items;
    QTimer m_soon;
    QTimer m_later;
    Mailbox m_mailbox;
    LatestRequest<Wanted, std::vector<CheckpointItem>> m_reading;
};

} // namespace lockstep::ui
