// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"

#include "base/error.h"

#include <span>

namespace lockstep {
namespace {

void resize(Batch& batch, std::int64_t examples)
{
    const auto rows = static_cast<std::size_t>(examples);
    batch.examples = examples;
    batch.images.resize(rows * static_cast<std::size_t>(batch.shape.elements()));
    batch.labels.resize(rows);
    batch.ids.resize(rows);
}

} // namespace

BatchBuilder::BatchBuilder(
    const Dataset& dataset, const PipelineSettings& settings, const Sampler& sampler)
    : m_dataset(dataset), m_sampler(sampler), m_settings(settings),
      m_distorter(settings.distortion, dataset.info().imageShape, dataset.info().pixelOrder),
      m_visits(static_cast<std::size_t>(settings.globalBatch))
{
}

void BatchBuilder::reserve(Batch& batch) const
{
    batch.shape = m_distorter.outputShape();
    resize(batch, m_settings.globalBatch);
}

void BatchBuilder::build(std::int64_t index, Batch& batch)
{
    batch.step = m_settings.startStep + index;
    batch.position = m_settings.startPosition + index * m_settings.globalBatch;
    batch.shape = m_distorter.outputShape();
    resize(batch, m_settings.rows(m_dataset, index));
    m_sampler.visit(batch.position, std::span(m_visits).first(batch.labels.size()));
    for (std::size_t row = 0; row < batch.labels.size(); ++row) {
        buildRow(row, batch);
    }
}

void BatchBuilder::buildRow(std::size_t row, Batch& batch)
{
    const auto [epoch, number] = m_visits[row];
    const auto& info = m_dataset.info();
    const ExampleView example = m_dataset.example(number);
    if (std::ssize(example.pixels) != info.imageShape.elements()) {
        fail(
            ErrorCode::Data,
            "example {} of {} ({}) has {} bytes, not the {} of an image of {}: repair the data set",
            number, info.name, info.split, example.pixels.size(), info.imageShape.elements(),
            toString(info.imageShape));
    }
    const auto values = static_cast<std::size_t>(batch.shape.elements());
    m_distorter.apply(
        example.pixels,
        drawDistortion(m_settings.distortion, info.imageShape, m_settings.seed, epoch, number),
        std::span(batch.images).subspan(row * values, values));
    batch.labels[row] = example.label;
    batch.ids[row] = number;
}

Batch makeBatch(const Dataset& dataset, const PipelineSettings& settings, std::int64_t index)
{
    settings.validate(dataset);
    const Sampler sampler(dataset.size(), settings.order, settings.seed);
    Batch batch;
    BatchBuilder(dataset, settings, sampler).build(index, batch);
    return batch;
}

} // namespace lockstep
