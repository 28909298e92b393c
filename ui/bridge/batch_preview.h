// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"

#include <QImage>
#include <QObject>
#include <QString>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::ui {

/// One image as a tower gets it, distorted. Values are stretched so that the image's smallest is
/// black and its largest white, because a standardised image has no fixed range. What is marked on
/// an image with a mask is outlined.
struct PreviewImage
{
    QImage image;
    QString label; ///< name of its class
    int tower = 0;
    qint64 example = 0; ///< its number in the data set
    /// Of data with masks: how many of the tower's whole batch are clean, and how many defective.
    QString batchText = {};
};

/// What to show.
struct PreviewRequest
{
    RunConfig config;
    /// Place of the batch in the stream of examples: 0 for the first step, StepRecord::examples for
    /// the one after that step.
    std::int64_t position = 0;
    int imagesPerTower = 8;
};

/// Makes batches as a run's pipeline does, by the same function, on a thread of its own. The latest
/// data set stays open for the next request.
class BatchPreview : public QObject
{
    Q_OBJECT

public:
    explicit BatchPreview(QObject* parent = nullptr);
    /// Waits for the batch that is being made.
    ~BatchPreview() override;

public slots:
    /// Replaces a request that was not begun.
    void request(const lockstep::ui::PreviewRequest& request);

signals:
    /// The first images of each tower, tower by tower.
    void ready(qint64 position, const std::vector<lockstep::ui::PreviewImage>& images);
    void failed(const QString& text);

private:
    void work();
    void serve(const PreviewRequest& request);
    std::vector<PreviewImage> make(const PreviewRequest& request);
    const Dataset& open(const RunConfig& config);

    // Of the thread alone.
    std::unique_ptr<Dataset> m_dataset;
    DatasetRequest m_opened; ///< what m_dataset was opened with

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<PreviewRequest> m_request;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
