// SPDX-License-Identifier: Apache-2.0
#include "session/step/image_scoring.h"

#include "base/error.h"
#include "network/models/segdecnet.h"

#include <algorithm>
#include <vector>

namespace lockstep {

bool hasOutput(const NetworkSpec& network, const char* name)
{
    return std::ranges::find(network.outputs, name, &NamedOutput::name) != network.outputs.end();
}

bool predictsMasks(const NetworkSpec& network)
{
    return network.maskShape && hasOutput(network, kMaskOutput);
}

bool canScoreImages(const NetworkSpec& network)
{
    return predictsMasks(network) && hasOutput(network, kDecisionOutput);
}

bool isCellMarked(
    const Dataset& dataset, std::int64_t example, const Shape& map, const CellPlace& cell)
{
    const ExampleView view = dataset.example(example);
    if (view.mask.empty()) {
        return false;
    }
    const Shape image = shapeOf(dataset.info(), view);
    // Every pixel that the cell lies over, be it in part.
    const auto begin = [](std::int64_t place, std::int64_t cells, std::int64_t pixels) {
        return place * pixels / cells;
    };
    const auto end = [](std::int64_t place, std::int64_t cells, std::int64_t pixels) {
        return ((place + 1) * pixels + cells - 1) / cells;
    };
    const std::int64_t left = begin(cell.column, map.width, image.width);
    const std::int64_t right = end(cell.column, map.width, image.width);
    for (std::int64_t row = begin(cell.row, map.height, image.height);
         row < end(cell.row, map.height, image.height); ++row) {
        const auto line = view.mask.subspan(
            static_cast<std::size_t>(row * image.width + left),
            static_cast<std::size_t>(right - left));
        if (std::ranges::any_of(line, [](std::uint8_t mark) { return mark != 0; })) {
            return true;
        }
    }
    return false;
}

ImageScore scoreImage(
    const NetworkSpec& network, const Replica& replica, const Batch& batch, const Dataset& dataset)
{
    require(batch.examples == 1 && batch.maskShape, "images are scored one by one");
    const std::vector<float> mask = replica.output(kMaskOutput);
    const auto peak = std::ranges::max_element(mask);
    const std::int64_t place = std::distance(mask.begin(), peak);
    const Shape& map = *batch.maskShape;
    const CellPlace cell{place / map.width, place % map.width};
    ImageScore score;
    score.example = batch.ids.front();
    score.name = dataset.exampleName(score.example);
    score.isPositive = batch.labels.front() != 0;
    score.score = decisionScore(replica.output(kDecisionOutput));
    const auto results = replica.results();
    for (std::size_t i = 0; i < results.size(); ++i) {
        score.loss += network.objectives[i].weight * results[i].lossSum;
    }
    score.peak = static_cast<double>(*peak);
    score.peakRow = cell.row;
    score.peakColumn = cell.column;
    score.isPeakInside = isCellMarked(dataset, score.example, map, cell);
    return score;
}

} // namespace lockstep
