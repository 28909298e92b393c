// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/data.h"

#include <QObject>
#include <QString>

#include <filesystem>

namespace lockstep::ui {

/// Gets CIFAR-10 on a thread of its own. One download at a time; what a cancelled or broken one
/// left is gone on with by the next. Lives in the GUI thread and never waits there, except for its
/// end.
class DatasetDownload : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] bool isRunning() const { return m_work.isRunning(); }

    /// Fetches an archive into `directory`, see downloadCifar10(). Does nothing while one is
    /// running.
    void start(const std::filesystem::path& directory, const Cifar10Archive& archive)
    {
        const auto download = [this, directory, archive]() -> std::function<void()> {
            const auto report = [this](const DownloadProgress& progress) {
                m_work.report([this, progress] {
                    emit progressed(progress.phase, progress.bytes, progress.total);
                });
                return !m_work.isCancelled();
            };
            return [this, result = downloadCifar10(directory, archive, report)] {
                emit finished(result.folder, result.wasThere);
            };
        };
        m_work.start(download, [this](const QString& text, bool isCancelled) {
            isCancelled ? emit cancelled(text) : emit failed(text);
        });
    }
    void cancel() { m_work.cancel(); }

signals:
    /// Several times a second: bytes of `total` in this phase.
    void progressed(lockstep::DownloadPhase phase, qint64 bytes, qint64 total);
    // One of these ends it; isRunning() is false then.
    /// `wasThere`: valid data was there already, nothing was fetched.
    void finished(const std::filesystem::path& folder, bool wasThere);
    void cancelled(const QString& text);
    void failed(const QString& text);

private:
    CancellableWork m_work{*this};
};

} // namespace lockstep::ui
