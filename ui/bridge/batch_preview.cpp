// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/batch_preview.h"

#include "bridge/mask_outline.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <utility>

namespace lockstep::ui {
namespace {

/// The network's input values of one image, row, column, channel, as a picture.
QImage toImage(std::span<const float> values, const Shape& shape)
{
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const float scale = *high > *low ? 255.0F / (*high - *low) : 0.0F;
    const bool isGrey = shape.channels < 3;
    QImage image(
        static_cast<int>(shape.width), static_cast<int>(shape.height),
        isGrey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    const std::int64_t shown = isGrey ? 1 : 3;
    for (int y = 0; y < image.height(); ++y) {
        uchar* line = image.scanLine(y);
        for (std::int64_t i = 0; i < shape.width * shown; ++i) {
            const std::int64_t pixel = y * shape.width + i / shown;
            const auto place = static_cast<std::size_t>(pixel * shape.channels + i % shown);
            line[i] = static_cast<uchar>(std::lround((values[place] - *low) * scale));
        }
    }
    return image;
}

/// More towers than a person looks at one by one.
constexpr int kMostTowers = 32;
/// Examples of a tower's batch: of more, nobody waits for the classes.
constexpr std::int64_t kMostCounted = 4096;

PipelineSettings settingsOf(const RunConfig& config)
{
    PipelineSettings settings;
    settings.globalBatch = config.towerShape().globalBatch();
    settings.seed = config.seed;
    settings.shards = config.experiment.shardSettings(config.towers);
    settings.distortion = distortionFor(config, makeNetwork(config.model));
    settings.order = trainingOrderOf(config);
    return settings;
}

PreviewImage imageOf(const Batch& batch, std::size_t row, const DatasetInfo& info)
{
    const auto elements = static_cast<std::size_t>(batch.shape.elements());
    PreviewImage shown;
    shown.image = toImage(std::span(batch.images).subspan(row * elements, elements), batch.shape);
    if (batch.maskShape) {
        const auto cells = static_cast<std::size_t>(batch.maskShape->elements());
        shown.image = withMaskOutline(
            shown.image, std::span(batch.masks).subspan(row * cells, cells), *batch.maskShape);
    }
    shown.label =
        QString::fromStdString(info.classNames[static_cast<std::size_t>(batch.labels[row])]);
    shown.example = batch.ids[row];
    return shown;
}

/// "3 clean, 5 defective": the classes of rows [first, first + count) of the batch at a position.
QString classesOf(
    const Dataset& dataset, const RowOrder& order, std::int64_t position, std::int64_t first,
    std::int64_t count)
{
    std::vector<Visit> visits(static_cast<std::size_t>(count));
    order.visit(position, first, visits);
    const std::vector<std::string>& names = dataset.info().classNames;
    std::vector<qint64> counts(names.size(), 0);
    for (const Visit& visit : visits) {
        ++counts[static_cast<std::size_t>(dataset.example(visit.example).label)];
    }
    QStringList parts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        parts << BatchPreview::tr("%1 %2", "a number of examples and their class")
                     .arg(QLocale().toString(counts[i]), QString::fromStdString(names[i]));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

BatchPreview::BatchPreview(QObject* parent) : QObject(parent), m_thread([this] { work(); }) {}

BatchPreview::~BatchPreview()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isEnding = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

void BatchPreview::request(const PreviewRequest& request)
{
    const std::scoped_lock lock(m_mutex);
    m_request = request;
    m_changed.notify_all();
}

void BatchPreview::work()
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isEnding || m_request; });
        if (m_isEnding) {
            return;
        }
        const PreviewRequest request = *std::exchange(m_request, std::nullopt);
        lock.unlock();
        serve(request);
    }
}

void BatchPreview::serve(const PreviewRequest& request)
{
    try {
        const auto images = make(request);
        QMetaObject::invokeMethod(
            this, [this, position = request.position, images] { emit ready(position, images); },
            Qt::QueuedConnection);
    } catch (const std::exception& error) {
        QMetaObject::invokeMethod(
            this, [this, text = QString::fromUtf8(error.what())] { emit failed(text); },
            Qt::QueuedConnection);
    }
}

std::vector<PreviewImage> BatchPreview::make(const PreviewRequest& request)
{
    request.config.validate();
    const Dataset& dataset = open(request.config);
    const TowerShape shape = request.config.towerShape();
    PipelineSettings settings = settingsOf(request.config);
    settings.startPosition = request.position;
    const RowOrder order(dataset, settings);
    BatchBuilder builder(dataset, settings, order);
    const auto shown = std::min<std::int64_t>(shape.batchPerTower, request.imagesPerTower);
    std::vector<PreviewImage> images;
    Batch batch;
    for (int tower = 0; tower < std::min(shape.towers, kMostTowers); ++tower) {
        const std::int64_t first = tower * shape.batchPerTower;
        builder.buildRows(0, first, shown, batch);
        const QString classes =
            dataset.info().hasMasks && shape.batchPerTower <= kMostCounted
                ? classesOf(dataset, order, request.position, first, shape.batchPerTower)
                : QString();
        for (std::int64_t row = 0; row < shown; ++row) {
            images.push_back(imageOf(batch, static_cast<std::size_t>(row), dataset.info()));
            images.back().tower = tower;
            images.back().batchText = classes;
        }
    }
    return images;
}

const Dataset& BatchPreview::open(const RunConfig& config)
{
    DatasetRequest request = datasetOf(config);
    request.path = datasetFolder(config.dataset, config.datasetPath);
    const bool isSeeded = request.path.empty() || describeDataset(config.dataset).hasMasks;
    if (!isSeeded) {
        request.seed = 0; // so that it is not read anew for another
    }
    if (!m_dataset || request != m_opened) {
        m_dataset.reset();
        m_dataset = openDataset(request, Split::Train);
        m_opened = request;
    }
    return *m_dataset;
}

} // namespace lockstep::ui
