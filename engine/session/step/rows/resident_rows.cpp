// SPDX-License-Identifier: Apache-2.0
#include "session/step/rows/resident_rows.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace lockstep {
namespace {

// The device reads what the sampler writes.
static_assert(sizeof(RowVisit) == sizeof(Visit) && std::is_trivially_copyable_v<Visit>);

ImageRecipe recipeOf(const DatasetInfo& info, const PipelineSettings& settings)
{
    const DistortionSettings& distortion = settings.distortion;
    ImageRecipe recipe;
    recipe.image = info.imageShape;
    recipe.isPlanar = info.pixelOrder == PixelOrder::Planar;
    recipe.cropHeight = distortion.cropHeight;
    recipe.cropWidth = distortion.cropWidth;
    recipe.crop = distortion.crop;
    recipe.flip = distortion.flip;
    recipe.brightness = distortion.brightness;
    recipe.contrast = distortion.contrast;
    recipe.standardize = distortion.standardize;
    recipe.brightnessDelta = distortion.brightnessDelta;
    recipe.contrastLow = distortion.contrastLow;
    recipe.contrastHigh = distortion.contrastHigh;
    recipe.seed = settings.seed;
    return recipe;
}

} // namespace

ResidentRows::ResidentRows(
    const Accelerator& device, const Dataset& dataset, const PipelineSettings& settings,
    const StepState* state)
    : m_device(device), m_order(dataset, settings), m_settings(settings),
      m_pixels(device.allocate(static_cast<std::size_t>(bytes(dataset)))),
      m_labels(device.allocate(static_cast<std::size_t>(dataset.size()) * sizeof(std::int32_t))),
      m_visits(device, kSlots, static_cast<std::size_t>(settings.ownRows()) * sizeof(RowVisit))
{
    copyExamples(dataset);
    m_input.state = state;
    m_input.slotCount = kSlots;
    m_input.slotRows = settings.ownRows();
    m_input.firstRow = settings.firstRow;
    m_input.pixels = reinterpret_cast<const std::uint8_t*>(m_pixels.data());
    m_input.datasetLabels = reinterpret_cast<const std::int32_t*>(m_labels.data());
    m_input.visits = m_visits.values<RowVisit>();
    m_input.recipe = recipeOf(dataset.info(), settings);
}

std::int64_t ResidentRows::bytes(const Dataset& dataset)
{
    return dataset.size() * dataset.info().imageShape.elements();
}

void ResidentRows::copyExamples(const Dataset& dataset)
{
    // In pieces, so that the host needs no second copy of the set.
    constexpr std::int64_t kPiece = 4096;
    const auto imageBytes = static_cast<std::size_t>(dataset.info().imageShape.elements());
    std::vector<std::uint8_t> pixels;
    std::vector<std::int32_t> labels;
    for (std::int64_t first = 0; first < dataset.size(); first += kPiece) {
        pixels.clear();
        labels.clear();
        for (std::int64_t i = first; i < std::min(first + kPiece, dataset.size()); ++i) {
            const ExampleView example = dataset.example(i);
            pixels.insert(pixels.end(), example.pixels.begin(), example.pixels.end());
            labels.push_back(example.label);
        }
        const auto place = static_cast<std::size_t>(first);
        m_device.copyIn(m_pixels.data() + place * imageBytes, pixels.data(), pixels.size());
        m_device.copyIn(
            m_labels.data() + place * sizeof(std::int32_t), labels.data(),
            labels.size() * sizeof(std::int32_t));
    }
}

void ResidentRows::start(std::int64_t step, std::int64_t position)
{
    m_startStep = step;
    m_startPosition = position;
}

void ResidentRows::enqueue(Stream& stream, std::int64_t first, std::int64_t count)
{
    for (std::int64_t step = first; step < first + count; ++step) {
        m_order.visit(
            m_startPosition + (step - m_startStep) * m_settings.globalBatch, m_settings.firstRow,
            {reinterpret_cast<Visit*>(m_visits.hostSlot(step)),
             static_cast<std::size_t>(m_settings.ownRows())});
    }
    m_visits.enqueueCopy(stream, first, count);
}

} // namespace lockstep
