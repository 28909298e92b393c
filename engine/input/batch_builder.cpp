// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"

#include "base/error.h"
#include "input/erasing.h"
#include "input/mixup.h"

#include <algorithm>
#include <span>

namespace lockstep {
namespace {

/// Asks for the first bytes of what is needed next, because examples come from all over the memory.
/// The rest of a large image the processor asks for by itself.
void prefetch(std::span<const std::uint8_t> pixels)
{
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kMost = 4096;
    for (std::size_t i = 0; i < std::min(pixels.size(), kMost); i += kLine) {
        __builtin_prefetch(pixels.data() + i);
    }
}

} // namespace

BatchBuilder::BatchBuilder(
    const Dataset& dataset, const PipelineSettings& settings, const RowOrder& order)
    : m_dataset(dataset), m_order(order), m_settings(settings),
      m_visits(static_cast<std::size_t>(settings.globalBatch))
{
    const DatasetInfo& info = dataset.info();
    const DistortionSettings& distortion = settings.distortion;
    const Shape input{distortion.cropHeight, distortion.cropWidth, info.imageShape.channels};
    if (distortion.masked) {
        m_masked.emplace(*distortion.masked, input, info);
    } else if (distortion.photo) {
        m_photo.emplace(*distortion.photo, input, EncodedDataset::of(dataset));
    } else {
        m_distorter.emplace(distortion, info.imageShape, info.pixelOrder);
    }
}

Shape BatchBuilder::imageShape() const
{
    if (m_photo) {
        return m_photo->imageShape();
    }
    return m_masked ? m_masked->imageShape() : m_distorter->outputShape();
}

void BatchBuilder::resize(Batch& batch, std::int64_t examples) const
{
    const auto rows = static_cast<std::size_t>(examples);
    batch.examples = examples;
    batch.shape = imageShape();
    batch.images.resize(rows * static_cast<std::size_t>(batch.shape.elements()));
    batch.labels.resize(rows);
    batch.ids.resize(rows);
    if (m_masked) {
        batch.maskShape = m_masked->maskShape();
        batch.masks.resize(rows * static_cast<std::size_t>(batch.maskShape->elements()));
    }
    batch.mixed.resize(m_settings.distortion.mixup > 0.0 ? rows : 0);
}

void BatchBuilder::reserve(Batch& batch) const
{
    resize(batch, m_settings.ownRows());
}

void BatchBuilder::build(std::int64_t index, Batch& batch)
{
    begin(index, batch);
    fillRows(index, 0, batch.examples, batch);
}

void BatchBuilder::begin(std::int64_t index, Batch& batch) const
{
    batch.step = m_settings.startStep + index;
    batch.position = positionOf(index);
    batch.firstRow = m_settings.firstRow;
    resize(batch, m_settings.rows(m_dataset, index));
}

void BatchBuilder::fillRows(
    std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch)
{
    fillFrom(index, m_settings.firstRow + first, count, batch, first);
}

void BatchBuilder::buildRows(
    std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch)
{
    batch.step = m_settings.startStep + index;
    batch.position = positionOf(index) + first;
    resize(batch, count);
    fillFrom(index, first, count, batch, 0);
}

std::int64_t BatchBuilder::positionOf(std::int64_t index) const
{
    return m_settings.startPosition + index * m_settings.globalBatch;
}

/// Rows from `first` on of a batch, into the places from `place` on.
void BatchBuilder::fillFrom(
    std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch, std::int64_t place)
{
    const std::span visits = std::span(m_visits).first(static_cast<std::size_t>(count));
    m_order.visit(positionOf(index), first, visits);
    ExampleView next = visits.empty() ? ExampleView() : example(visits.front());
    for (std::size_t i = 0; i < visits.size(); ++i) {
        const ExampleView now = next;
        if (i + 1 < visits.size()) {
            next = example(visits[i + 1]);
            prefetch(next.pixels);
        }
        const std::size_t row = static_cast<std::size_t>(place) + i;
        if (!m_photo) {
            fill(now, visits[i], row, batch);
        } else if (!fillWhole(visits[i], row, batch)) {
            batch.ids[row] = Batch::kNoExample;
            continue;
        }
        batch.labels[row] =
            m_order.labelOf(visits[i], first + static_cast<std::int64_t>(i), batch.labels[row]);
        batch.ids[row] = visits[i].example;
    }
    if (!batch.mixed.empty()) {
        mix(positionOf(index) + first, static_cast<std::size_t>(place), visits.size(), batch);
    }
}

/// Rows in pairs, from the first of a pair on.
void BatchBuilder::mix(
    std::int64_t position, std::size_t place, std::size_t count, Batch& batch) const
{
    const auto values = static_cast<std::size_t>(batch.shape.elements());
    const auto imageOf = [&](std::size_t row) {
        return std::span(batch.images).subspan(row * values, values);
    };
    for (std::size_t row = place; row < place + count; ++row) {
        batch.mixed[row] = {batch.labels[row], 1.0F};
    }
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        const std::size_t row = place + i;
        const float share = drawMixup(
            m_settings.distortion.mixup, m_settings.seed, position + static_cast<std::int64_t>(i));
        mixImages(share, imageOf(row), imageOf(row + 1));
        batch.mixed[row] = {batch.labels[row + 1], share};
        batch.mixed[row + 1] = {batch.labels[row], share};
    }
}

void BatchBuilder::buildVisit(const Visit& visit, Batch& batch)
{
    resize(batch, 1);
    fill(example(visit), visit, 0, batch);
    batch.mixed.clear();
    batch.ids.front() = visit.example;
}

DrawnDistortion BatchBuilder::draw(const Visit& visit)
{
    if (m_photo) {
        return m_photo->draw(m_settings.seed, visit);
    }
    const DistortionSettings& settings = m_settings.distortion;
    if (m_masked) {
        return drawMirror(*settings.masked, m_settings.seed, visit.epoch, visit.example);
    }
    return drawDistortion(
        settings, m_dataset.info().imageShape, m_settings.seed, visit.epoch, visit.example);
}

ExampleView BatchBuilder::example(const Visit& visit) const
{
    const auto& info = m_dataset.info();
    const ExampleView example = m_dataset.example(visit.example);
    const Shape shape = shapeOf(info, example);
    const bool isMaskWhole = example.mask.empty() || example.mask.size() == example.pixels.size();
    if (std::ssize(example.pixels) != shape.elements() || !isMaskWhole) {
        fail(
            ErrorCode::Data,
            "example {} of {} ({}) has {} bytes, not the {} of an image of {}: repair the data set",
            visit.example, info.name, info.split, example.pixels.size(), shape.elements(),
            toString(shape));
    }
    return example;
}

void BatchBuilder::fill(
    const ExampleView& example, const Visit& visit, std::size_t row, Batch& batch)
{
    const auto values = static_cast<std::size_t>(batch.shape.elements());
    const auto image = std::span(batch.images).subspan(row * values, values);
    batch.labels[row] = example.label;
    if (m_photo) {
        m_photo->apply(m_settings.seed, visit, image);
        eraseIn(image, visit, batch.shape);
        return;
    }
    if (m_masked) {
        const auto cells = static_cast<std::size_t>(batch.maskShape->elements());
        MaskedInput::Row masked{image, std::span(batch.masks).subspan(row * cells, cells)};
        m_masked->apply(example, std::get<Mirror>(draw(visit)), masked);
        batch.labels[row] = masked.label;
        return;
    }
    m_distorter->apply(example.pixels, std::get<Distortion>(draw(visit)), image);
    eraseIn(image, visit, batch.shape);
}

/// Where the image of a visit is damaged, the visit becomes that of the next example whose image is
/// whole; false: none stands in for it. Who finds the damage, and when, makes no difference.
bool BatchBuilder::fillWhole(Visit& visit, std::size_t row, Batch& batch)
{
    const EncodedDataset& photographs = EncodedDataset::of(m_dataset);
    for (;;) {
        try {
            fill(example(visit), visit, row, batch);
            return true;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::Data || !photographs.damage().mayReplace()) {
                throw;
            }
            photographs.damage().take(visit.example, error.what());
            photographs.damage().check();
        }
        if (m_settings.order == ExampleOrder::Sequential) {
            const auto values = static_cast<std::ptrdiff_t>(batch.shape.elements());
            std::fill_n(
                batch.images.begin() + static_cast<std::ptrdiff_t>(row) * values, values, 0.0F);
            batch.labels[row] = 0;
            return false;
        }
        visit.example = static_cast<std::uint32_t>((visit.example + 1) % m_dataset.size());
    }
}

/// The box becomes what lies in the middle of black and white, of standardised images their mean.
void BatchBuilder::eraseIn(std::span<float> image, const Visit& visit, const Shape& shape) const
{
    const DistortionSettings& distortion = m_settings.distortion;
    if (const auto box = drawErasing(distortion.erase, shape, m_settings.seed, visit)) {
        std::vector<float> colour(static_cast<std::size_t>(shape.channels));
        for (std::size_t channel = 0; channel < colour.size(); ++channel) {
            const auto values = distortion.pixelValues(channel).value_or(PixelValues{0.0F, 0.0F});
            colour[channel] = (values.black + values.white) / 2.0F;
        }
        erase(*box, shape, colour, image);
    }
}

Batch makeBatch(const Dataset& dataset, const PipelineSettings& settings, std::int64_t index)
{
    const RowOrder order(dataset, settings);
    Batch batch;
    BatchBuilder(dataset, settings, order).build(index, batch);
    return batch;
}

} // namespace lockstep
