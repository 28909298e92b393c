// SPDX-License-Identifier: Apache-2.0
#include "session/step/tower_masks.h"

#include "network/models/segdecnet.h"
#include "session/step/image_scoring.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {
namespace {

template<class Value>
std::vector<float> rowOf(const Value& values, std::int64_t row, std::int64_t elements)
{
    const auto first = values.begin() + row * elements;
    return {first, first + elements};
}

/// The first rows of one lane.
class LanePictures
{
public:
    LanePictures(
        const NetworkSpec& network, const Batch& batch, const Lane& lane, const Replica& replica)
        : m_batch(batch), m_firstRow(lane.firstRow - batch.firstRow),
          m_probabilities(replica.output(kMaskOutput)), m_cells(batch.maskShape->elements())
    {
        if (hasOutput(network, kDecisionOutput)) {
            m_logits = replica.output(kDecisionOutput);
            m_logitsOfRow = std::ssize(m_logits) / lane.rows;
        }
    }

    [[nodiscard]] ImageMasks at(std::int64_t row, const Dataset& dataset) const
    {
        const std::int64_t place = m_firstRow + row;
        const auto number = static_cast<std::size_t>(place);
        ImageMasks image;
        image.example = m_batch.ids[number];
        image.name = dataset.exampleName(image.example);
        image.label = m_batch.labels[number];
        image.input = rowOf(m_batch.images, place, m_batch.shape.elements());
        image.mask = rowOf(m_batch.masks, place, m_cells);
        image.probabilities = rowOf(m_probabilities, row, m_cells);
        if (!m_logits.empty()) {
            image.score = decisionScore(rowOf(m_logits, row, m_logitsOfRow));
        }
        return image;
    }

private:
    const Batch& m_batch;
    std::int64_t m_firstRow;
    std::vector<float> m_probabilities;
    std::int64_t m_cells;
    std::vector<float> m_logits; ///< none: the network decides nothing
    std::int64_t m_logitsOfRow = 0;
};

} // namespace

MaskRecord masksOf(const StepperSettings& settings, const Batch& batch, const StepOutcome& outcome)
{
    const auto& input = settings.input.distortion.masked;
    MaskRecord masks;
    masks.step = outcome.step;
    masks.input = batch.shape;
    masks.mask = *batch.maskShape;
    masks.white = input && input->pixels == PixelRange::Byte ? 255.0 : 1.0;
    for (const TowerResult& result : outcome.towers) {
        TowerMasks& told = masks.towers.emplace_back();
        told.loss = result.loss(outcome.weightDecayLoss);
        for (std::size_t i = 0; i < settings.network->objectives.size(); ++i) {
            told.objectives.push_back(
                {settings.network->objectives[i].name,
                 result.objectives.at(i) / static_cast<double>(result.examples)});
        }
    }
    return masks;
}

void addImages(
    const StepperSettings& settings, const Batch& batch, const Lane& rows, const Replica& replica,
    MaskRecord& masks)
{
    auto& images = masks.towers[static_cast<std::size_t>(rows.tower)].images;
    const std::int64_t count = std::min(rows.rows, kMostMaskImages - std::ssize(images));
    if (count > 0) {
        const LanePictures pictures(*settings.network, batch, rows, replica);
        for (std::int64_t row = 0; row < count; ++row) {
            images.push_back(pictures.at(row, *settings.dataset));
        }
    }
}

} // namespace lockstep
