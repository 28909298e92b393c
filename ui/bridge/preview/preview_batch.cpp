// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/preview_batch.h"

#include "bridge/preview/input_picture.h"
#include "engine/run.h"

#include <QColor>
#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <span>

namespace lockstep::ui {
namespace {

struct BatchPreviewText
{
    Q_DECLARE_TR_FUNCTIONS(BatchPreview)
};

/// More towers than a person looks at one by one.
constexpr int kMostTowers = 32;
/// Examples of a tower's batch: of more, nobody waits for the classes.
constexpr std::int64_t kMostCounted = 4096;

/// Stands out from every grey, for all who see colours in whatever way.
constexpr QRgb kOutline = qRgb(230, 159, 0);

/// The picture with a line around what is marked on it: around the cells of the mask that have at
/// least half of its greatest value, as the network is told. The same picture where nothing is.
QImage withMaskOutline(const QImage& image, std::span<const float> mask, const Shape& maskShape)
{
    const float most = mask.empty() ? 0.0F : *std::ranges::max_element(mask);
    if (most <= 0.0F) {
        return image;
    }
    const auto isMarked = [&](std::int64_t row, std::int64_t column) {
        return row >= 0 && column >= 0 && row < maskShape.height && column < maskShape.width
               && mask[static_cast<std::size_t>(row * maskShape.width + column)] >= most / 2.0F;
    };
    QImage outlined = image.convertToFormat(QImage::Format_RGB888);
    QPainter painter(&outlined);
    const int height = image.height() / static_cast<int>(maskShape.height);
    const int width = image.width() / static_cast<int>(maskShape.width);
    for (int row = 0; row < maskShape.height; ++row) {
        for (int column = 0; column < maskShape.width; ++column) {
            if (!isMarked(row, column)) {
                continue;
            }
            const QRect cell(column * width, row * height, width, height);
            const auto edge = [&](int rowAt, int columnAt, const QRect& line) {
                if (!isMarked(rowAt, columnAt)) {
                    painter.fillRect(line, QColor(kOutline));
                }
            };
            edge(row - 1, column, {cell.topLeft(), QSize(width, 1)});
            edge(row + 1, column, {cell.bottomLeft(), QSize(width, 1)});
            edge(row, column - 1, {cell.topLeft(), QSize(1, height)});
            edge(row, column + 1, {cell.topRight(), QSize(1, height)});
        }
    }
    return outlined;
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
        parts << BatchPreviewText::tr("%1 %2", "a number of examples and their class")
                     .arg(QLocale().toString(counts[i]), QString::fromStdString(names[i]));
    }
    return parts.join(QStringLiteral(", "));
}

/// Makes rows of the batch that begins where the settings start.
class BatchRows
{
public:
    BatchRows(const Dataset& dataset, const PipelineSettings& settings)
        : m_dataset(dataset), m_settings(settings), m_order(dataset, settings),
          m_builder(dataset, settings, m_order)
    {
    }

    /// Appends rows [first, first + count).
    void append(
        std::int64_t first, std::int64_t count, int tower, std::vector<PreviewImage>& images)
    {
        m_builder.buildRows(0, first, count, m_batch);
        std::vector<Visit> visits(static_cast<std::size_t>(count));
        m_order.visit(m_settings.startPosition, first, visits);
        for (std::size_t row = 0; row < visits.size(); ++row) {
            const int label = m_batch.labels[row];
            const std::string& className =
                m_dataset.info().classNames[static_cast<std::size_t>(label)];
            images.push_back(
                {rowPicture(m_batch, row, m_settings.distortion), label,
                 QString::fromStdString(className), tower, visits[row],
                 QString::fromStdString(m_dataset.exampleName(visits[row].example))});
        }
    }

    [[nodiscard]] QString classes(std::int64_t first, std::int64_t count) const
    {
        return classesOf(m_dataset, m_order, m_settings.startPosition, first, count);
    }

private:
    const Dataset& m_dataset;
    const PipelineSettings& m_settings;
    RowOrder m_order;
    BatchBuilder m_builder;
    Batch m_batch;
};

void addTowers(
    const BatchRequest& request, const Dataset& dataset, const PipelineSettings& settings,
    PreviewBatch& made)
{
    const TowerShape shape = request.config.towerShape();
    const auto shown = std::min<std::int64_t>(shape.batchPerTower, request.images);
    const bool isCounted = dataset.info().hasMasks && shape.batchPerTower <= kMostCounted;
    BatchRows rows(dataset, settings);
    for (int tower = 0; tower < std::min(shape.towers, kMostTowers); ++tower) {
        const std::int64_t first = tower * shape.batchPerTower;
        const std::size_t before = made.images.size();
        rows.append(first, shown, tower, made.images);
        const QString classes = isCounted ? rows.classes(first, shape.batchPerTower) : QString();
        for (std::size_t i = before; i < made.images.size(); ++i) {
            made.images[i].batchText = classes;
        }
    }
}

} // namespace

QImage rowPicture(const Batch& batch, std::size_t row, const DistortionSettings& distortion)
{
    const auto elements = static_cast<std::size_t>(batch.shape.elements());
    QImage picture = inputPicture(
        std::span(batch.images).subspan(row * elements, elements), batch.shape,
        distortion.pixelValues());
    if (!batch.maskShape) {
        return picture;
    }
    const auto cells = static_cast<std::size_t>(batch.maskShape->elements());
    return withMaskOutline(
        picture, std::span(batch.masks).subspan(row * cells, cells), *batch.maskShape);
}

PreviewBatch makePreviewBatch(
    const BatchRequest& request, PreviewData& data, const LoadProgress& progress)
{
    request.config.validate();
    const Dataset& dataset = data.open(request.config, request.split, progress);
    PipelineSettings settings = pipelineFor(request.config, makeNetwork(request.config.model));
    if (request.split == Split::Test) {
        settings = settings.forEvaluation();
        settings.globalBatch = request.images; // how many there are at a time changes none of them
    }
    settings.startPosition = request.position;
    PreviewBatch made;
    made.split = request.split;
    made.position = request.position;
    made.examples = dataset.size();
    made.isStretched = !settings.distortion.pixelValues();
    made.isWhole = settings.distortion.masked.has_value();
    if (request.split == Split::Train) {
        addTowers(request, dataset, settings, made);
    } else {
        BatchRows(dataset, settings)
            .append(0, settings.rows(dataset, 0), PreviewImage::kNoTower, made.images);
    }
    return made;
}

} // namespace lockstep::ui
