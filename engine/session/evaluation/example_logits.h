// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_team.h"
#include "dataset/examples/dataset.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "input/distortion.h"
#include "network/network_spec.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace lockstep {

/// What a network says of one example.
struct ExampleLogits
{
    std::int64_t example = 0; ///< number in its data set
    std::int32_t label = 0;
    std::vector<float> values; ///< one for each class: what the objective that judges reads
};

/// Whose logits, of what. What is referred to must outlive the call.
struct ExampleLogitsRequest
{
    const Device& device;
    const NetworkSpec& network;
    const ParameterLayout& layout;
    WeightsView weights;
    const Dataset& dataset;
    DistortionSettings distortion;
    std::int64_t examples = 0; ///< the first ones of the data set; more than it has: all
};

/// The logits of the first examples of a data set, in its order: in the chunks of an evaluation
/// (evaluationChunks()), so that they are those that it goes by. Works on the first thread of the
/// team.
std::vector<ExampleLogits> exampleLogits(const ExampleLogitsRequest& request, ThreadTeam& threads);

/// Writes them as CSV: `example,label,logit_0,logit_1,…`, numbers in the shortest form that reads
/// back as the same float. The file appears complete or not at all; Error(Io) names it.
void writeLogits(std::span<const ExampleLogits> logits, const std::filesystem::path& file);

} // namespace lockstep
