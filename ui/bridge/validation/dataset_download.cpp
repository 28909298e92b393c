// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/dataset_download.h"

namespace lockstep::ui {

void DatasetDownload::start(const std::filesystem::path& directory, const Cifar10Archive& archive)
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

} // namespace lockstep::ui
