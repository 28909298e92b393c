// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"
#include "dataset/formats/catalog.h"
#include "input/masked_input.h"
#include "input/order/sampler.h"
#include "input/photo/photo_input.h"
#include "input/pipeline_settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

struct ModelSettings;
struct NetworkSpec;
struct RunConfig;

/// What a run of this configuration opens.
DatasetRequest datasetOf(const RunConfig& config);

/// What the values of its image files mean.
PixelRules pixelRulesOf(const RunConfig& config);

/// How images with masks reach the network; empty for a data set without masks.
std::optional<MaskedInputSettings> maskedInputOf(const RunConfig& config);

/// How encoded photographs reach the network; empty for another data set.
std::optional<PhotoSettings> photoInputOf(const RunConfig& config);

/// The order in which a run visits its training set.
ExampleOrder trainingOrderOf(const RunConfig& config);

/// Whether the classes of a network are left open that may have any number: then they are those of
/// the data.
bool takesClasses(const ModelSettings& model);
void takeClasses(RunConfig& config, const Dataset& training);

/// Examples of one epoch of a run: those of the training set, or, in balanced order, twice its
/// defective ones.
std::int64_t epochExamples(const RunConfig& config, const Dataset& training);

/// How a data set with masks was understood and what a run does with it, as one line for people:
/// "…; fold 0 of 3 is tested on; …". `input` is what the network reads.
std::string describeMaskedData(
    const RunConfig& config, const DatasetInfo& training, const Shape& input);

/// How the files were understood, the largest image, what loaders take for it, and what was left
/// out, as one line for people.
std::string describeEncodedData(const EncodedDataset& training, const Shape& input, int loaders);

/// The distortions of a run: those of the configuration, cropped to what the network reads; images
/// with masks are resized to it.
DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network);

/// What makes the batches of a run, from its first step on. How far it runs ahead is part of it,
/// but changes no batch; how many loaders there are is for RunConfig::loaderThreads() to say.
PipelineSettings pipelineFor(const RunConfig& config, const NetworkSpec& network);

/// Whether a network can learn from a data set or be tested on it. Error(BadInput) says what does
/// not fit: size (with input.pad) or channels of the images, masks, classes.
void checkDataset(const RunConfig& config, const NetworkSpec& network, const Dataset& dataset);

} // namespace lockstep
