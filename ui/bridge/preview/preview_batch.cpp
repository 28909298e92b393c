// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/preview_batch.h"

#include "bridge/base/class_words.h"
#include "engine/base.h"
#include "engine/run.h"
#include "models/engine_text.h"

#include <QColor>
#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <string>

namespace lockstep::ui {
namespace {

constexpr float kWhite = 255.0F;

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
        const std::vector<Visit> visits = visitsOf(first, count);
        for (std::size_t row = 0; row < visits.size(); ++row) {
            images.push_back(
                {rowPicture(m_batch, row, m_settings.distortion), m_batch.labels[row], classOf(row),
                 tower, visits[row],
                 QString::fromStdString(m_dataset.exampleName(visits[row].example))});
        }
    }

    /// "3 clean, 5 defective": the classes of rows [first, first + count).
    [[nodiscard]] QString classes(std::int64_t first, std::int64_t count) const
    {
        const std::vector<std::string>& names = m_dataset.info().classNames;
        std::vector<qint64> counts(names.size(), 0);
        for (const Visit& visit : visitsOf(first, count)) {
            ++counts[static_cast<std::size_t>(m_dataset.example(visit.example).label)];
        }
        QStringList parts;
        for (std::size_t i = 0; i < names.size(); ++i) {
            parts << BatchPreviewText::tr("%1 %2", "a number of examples and their class")
                         .arg(QLocale().toString(counts[i]), classWords(names[i]));
        }
        return parts.join(QStringLiteral(", "));
    }

private:
    [[nodiscard]] QString classOf(std::size_t row) const
    {
        const auto nameOf = [this](std::int32_t label) {
            return classWords(m_dataset.info().classNames[static_cast<std::size_t>(label)]);
        };
        const QString name = nameOf(m_batch.labels[row]);
        if (m_batch.mixed.empty()) {
            return name;
        }
        const auto& [other, share] = m_batch.mixed[row];
        return BatchPreviewText::tr("%1 % %2, %3", "share and name of a class, and another one")
            .arg(std::lround(100.0F * share))
            .arg(name, nameOf(other));
    }
    [[nodiscard]] std::vector<Visit> visitsOf(std::int64_t first, std::int64_t count) const
    {
        std::vector<Visit> visits(static_cast<std::size_t>(count));
        m_order.visit(m_settings.startPosition, first, visits);
        return visits;
    }

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

/// Empty for data that the program knows itself and that have nothing odd.
QString layoutText(const DatasetInfo& training, const DatasetInfo& test)
{
    QStringList lines;
    if (!training.layout.empty()) {
        SizeRange sizes = training.sizes;
        sizes.take(test.sizes.least);
        sizes.take(test.sizes.most);
        lines.append(
            BatchPreviewText::tr("%1; images of %2", "how files are laid out, and their sizes")
                .arg(engineText(training.layout), engineText(sizes.text())));
    }
    for (const std::string& line : linesOf(training.account, test.account)) {
        lines.append(QStringLiteral("• ") + engineText(line));
    }
    return lines.join(u'\n');
}

} // namespace

DatasetRequest PreviewData::requestFor(const RunConfig& config)
{
    DatasetRequest request = datasetOf(config);
    request.path = datasetFolder(config.dataset, config.datasetPath);
    if (!describeDataset(config.dataset).isSeeded) {
        request.seed = 0; // so that it is not read anew for another
    }
    return request;
}

const Dataset& PreviewData::open(const RunConfig& config, Split split, const LoadProgress& progress)
{
    const DatasetRequest request = requestFor(config);
    if (request != m_opened) {
        m_splits = {};
        m_opened = request;
    }
    auto& dataset = m_splits[split == Split::Train ? 0 : 1];
    if (!dataset) {
        dataset = openDataset(request, split, progress);
    }
    return *dataset;
}

ClassBalance countClasses(const RunConfig& config, PreviewData& data, const LoadProgress& progress)
{
    config.validate();
    const Dataset& training = data.open(config, Split::Train, progress);
    const Dataset& test = data.open(config, Split::Test, progress);
    ClassBalance balance;
    const auto& ofTraining = training.info().classNames;
    const auto& ofTest = test.info().classNames;
    static_cast<void>(checkClassNames(ofTraining, ofTest)); // what is odd the run tells
    // Records may name more classes in one split than in the other.
    for (const std::string& name : ofTest.size() > ofTraining.size() ? ofTest : ofTraining) {
        balance.classNames.push_back(classWords(name));
    }
    balance.train = examplesPerClass(training);
    balance.test = examplesPerClass(test);
    balance.firstClass = hasBackgroundClass(config.model) ? 1 : 0;
    balance.layout = layoutText(training.info(), test.info());
    balance.isTrainedBalanced = trainingOrderOf(config) == ExampleOrder::Balanced;
    balance.train.resize(balance.classNames.size());
    balance.test.resize(balance.classNames.size());
    return balance;
}

QImage inputPicture(std::span<const float> values, const Shape& shape, const PixelValues& range)
{
    const float scale = kWhite / (range.white - range.black);
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
            const float grey = (values[place] - range.black) * scale;
            // What is no number, as a network that has diverged leaves it, is black.
            line[i] = static_cast<uchar>(
                std::isnan(grey) ? 0 : std::lround(std::clamp(grey, 0.0F, kWhite)));
        }
    }
    return image;
}

QImage originalPicture(const ColourImage& image, int longest)
{
    const auto width = static_cast<int>(image.width);
    const QImage whole(
        image.pixels.data(), width, static_cast<int>(image.height), 3 * qsizetype{width},
        QImage::Format_RGB888);
    return std::max(whole.width(), whole.height()) <= longest
               ? whole.copy()
               : whole.scaled(longest, longest, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

QImage rowPicture(const Batch& batch, std::size_t row, const DistortionSettings& distortion)
{
    const auto elements = static_cast<std::size_t>(batch.shape.elements());
    const auto values = std::span(batch.images).subspan(row * elements, elements);
    std::vector<float> visible(values.begin(), values.end());
    distortion.makeVisible(visible, batch.shape.channels);
    QImage picture = inputPicture(visible, batch.shape, {0.0F, 1.0F});
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
