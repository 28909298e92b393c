// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/image_classes.h"

#include "network/primary_objective.h"
#include "session/step/image_scoring.h"

#include <variant>

namespace lockstep {
namespace {

constexpr const char* kLogits = "class_logits";

const Objective& judgeOf(const NetworkSpec& network)
{
    return network.objectives[primaryObjective(network)];
}

const Shape& logitsShape(const NetworkSpec& network)
{
    return network.layers[static_cast<std::size_t>(sourceOf(judgeOf(network)))].shape;
}

} // namespace

bool classifiesImages(const NetworkSpec& network)
{
    const Shape& shape = logitsShape(network);
    return std::holds_alternative<SoftmaxCrossEntropy>(judgeOf(network).loss) && shape.height == 1
           && shape.width == 1 && !canScoreImages(network);
}

std::int64_t classesOf(const NetworkSpec& network)
{
    return logitsShape(network).elements();
}

int classesToLearn(const ModelSettings& model)
{
    try {
        const NetworkSpec network = makeNetwork(model);
        return classifiesImages(network)
                   ? static_cast<int>(classesOf(network)) - (hasBackgroundClass(model) ? 1 : 0)
                   : 0;
    } catch (const Error&) {
        return 0;
    }
}

NetworkSpec withLogits(NetworkSpec network)
{
    network.outputs.push_back({kLogits, sourceOf(judgeOf(network))});
    return network;
}

std::vector<float> logitsOf(const Replica& replica)
{
    return replica.output(kLogits);
}

void classifyRows(const Replica& replica, const Batch& batch, std::span<ClassifiedImage> images)
{
    const std::vector<float> logits = logitsOf(replica);
    const std::size_t classes = logits.size() / images.size();
    for (std::size_t row = 0; row < images.size(); ++row) {
        images[row] = classifiedImage(
            batch.ids[row], batch.labels[row], std::span(logits).subspan(row * classes, classes));
    }
}

} // namespace lockstep
