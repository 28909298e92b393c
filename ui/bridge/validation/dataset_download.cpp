// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/dataset_download.h"
#include "models/engine_text.h"

#include "engine/base.h"
#include "engine/data.h"

#include <exception>

namespace lockstep::ui {

DatasetDownload::DatasetDownload(QObject* parent) : QObject(parent) {}

DatasetDownload::~DatasetDownload()
{
    cancel();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void DatasetDownload::start(const std::filesystem::path& directory)
{
    start(directory, Cifar10Archive());
}

void DatasetDownload::start(const std::filesystem::path& directory, const Cifar10Archive& archive)
{
    if (m_isRunning) {
        return;
    }
    if (m_thread.joinable()) {
        m_thread.join(); // it has said its last word
    }
    m_isCancelled = false;
    m_thread = std::thread([this, directory, archive] { work(directory, archive); });
    m_isRunning = true;
}

void DatasetDownload::cancel()
{
    m_isCancelled = true;
}

template<class Function>
void DatasetDownload::end(Function report)
{
    QMetaObject::invokeMethod(
        this,
        [this, report] {
            m_isRunning = false;
            report();
        },
        Qt::QueuedConnection);
}

void DatasetDownload::work(const std::filesystem::path& directory, const Cifar10Archive& archive)
{
    const auto report = [this](const DownloadProgress& progress) {
        QMetaObject::invokeMethod(
            this,
            [this, progress] { emit progressed(progress.phase, progress.bytes, progress.total); },
            Qt::QueuedConnection);
        return !m_isCancelled;
    };
    try {
        const DownloadResult result = downloadCifar10(directory, archive, report);
        end([this, result] { emit finished(result.folder, result.wasThere); });
    } catch (const Error& error) {
        const QString text = engineText(error.what());
        const bool isCancelled = error.code() == ErrorCode::Cancelled;
        end([this, text, isCancelled] { isCancelled ? emit cancelled(text) : emit failed(text); });
    } catch (const std::exception& error) {
        end([this, text = engineText(error.what())] { emit failed(text); });
    }
}

} // namespace lockstep::ui
