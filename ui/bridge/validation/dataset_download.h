// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <filesystem>
#include <thread>

namespace lockstep::ui {

/// Gets CIFAR-10 on a thread of its own. One download at a time; what a cancelled or broken one
/// left is gone on with by the next. Lives in the GUI thread and never waits there, except for its
/// end.
class DatasetDownload : public QObject
{
    Q_OBJECT

public:
    explicit DatasetDownload(QObject* parent = nullptr);
    /// Cancels and waits.
    ~DatasetDownload() override;

    [[nodiscard]] bool isRunning() const { return m_isRunning; }

    /// Fetches this archive, see start().
    void start(const std::filesystem::path& directory, const Cifar10Archive& archive);

public slots:
    /// The official archive into `directory`, see downloadCifar10(). Does nothing while one is
    /// running.
    void start(const std::filesystem::path& directory);
    void cancel();

signals:
    /// Several times a second: bytes of `total` in this phase.
    void progressed(lockstep::DownloadPhase phase, qint64 bytes, qint64 total);
    // One of these ends it; isRunning() is false then.
    /// `wasThere`: valid data was there already, nothing was fetched.
    void finished(const std::filesystem::path& folder, bool wasThere);
    void cancelled(const QString& text);
    void failed(const QString& text);

private:
    void work(const std::filesystem::path& directory, const Cifar10Archive& archive);
    template<class Function>
    void end(Function report);

    std::thread m_thread;
    std::atomic<bool> m_isCancelled{false};
    bool m_isRunning = false;
};

} // namespace lockstep::ui
