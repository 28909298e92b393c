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

MaskRecord masksOf(
    const TowerTeam& team, const NetworkSpec& network, const Batch& batch, const Dataset& dataset)
{
    MaskRecord record;
    record.input = batch.shape;
    record.mask = *batch.maskShape;
    record.towers.resize(static_cast<std::size_t>(team.shape().towers));
    for (std::size_t i = 0; i < team.lanes().size(); ++i) {
        const Lane& lane = team.lanes()[i];
        auto& images = record.towers[static_cast<std::size_t>(lane.tower)].images;
        const std::int64_t rows = std::min(lane.rows, kMostMaskImages - std::ssize(images));
        if (rows > 0) {
            const LanePictures pictures(network, batch, lane, team.replica(static_cast<int>(i)));
            for (std::int64_t row = 0; row < rows; ++row) {
                images.push_back(pictures.at(row, dataset));
            }
        }
    }
    return record;
}

void addLosses(
    const NetworkSpec& network, std::span<const TowerResult> results, double weightDecayLoss,
    MaskRecord& masks)
{
    for (std::size_t tower = 0; tower < results.size(); ++tower) {
        const TowerResult& result = results[tower];
        const auto examples = static_cast<double>(result.examples);
        TowerMasks& told = masks.towers[tower];
        told.loss = result.loss(weightDecayLoss);
        for (std::size_t i = 0; i < network.objectives.size(); ++i) {
            told.objectives.push_back(
                {network.objectives[i].name, result.objectives.at(i) / examples});
        }
    }
}

} // namespace lockstep
