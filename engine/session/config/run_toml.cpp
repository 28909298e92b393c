// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "session/config/run_config.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view kOfModel = "model.";
constexpr std::string_view kOfInitialWeights = "initial_weights.";
constexpr std::string_view kOfExperiment = "experiment.";

/// A key that is not for every data set, and whether it is for this one.
struct DatasetKey
{
    std::string_view name;
    bool (*isOf)(const DatasetDescription&);
};

constexpr bool isInFiles(const DatasetDescription& dataset)
{
    return dataset.needsFolder;
}

constexpr bool hasMasks(const DatasetDescription& dataset)
{
    return dataset.hasMasks;
}

/// Not of drawn ones.
constexpr bool hasMaskFiles(const DatasetDescription& dataset)
{
    return dataset.hasMasks && dataset.needsFolder;
}

constexpr bool isInImageFiles(const DatasetDescription& dataset)
{
    return dataset.isEncoded || hasMaskFiles(dataset);
}

constexpr bool hasNoMasks(const DatasetDescription& dataset)
{
    return !dataset.hasMasks;
}

constexpr bool isEncoded(const DatasetDescription& dataset)
{
    return dataset.isEncoded;
}

constexpr bool isPlain(const DatasetDescription& dataset)
{
    return !dataset.hasMasks && !dataset.isEncoded;
}

constexpr bool isInRecords(const DatasetDescription& dataset)
{
    return dataset.name == "tfrecord";
}

/// Splits are a matter of folders and tables, which the seed helps out.
constexpr bool isOwn(const DatasetDescription& dataset)
{
    return dataset.needsFolder && dataset.isSeeded;
}

/// Whose owner may have set more than one part aside.
constexpr bool hasParts(const DatasetDescription& dataset)
{
    return isOwn(dataset) || isInRecords(dataset);
}

constexpr bool isOwnPhotographs(const DatasetDescription& dataset)
{
    return isOwn(dataset) && dataset.isEncoded;
}

constexpr std::array kDatasetKeys{
    DatasetKey{"dataset.path", isInFiles},
    DatasetKey{"dataset.test_on", hasParts},
    DatasetKey{"dataset.test_share", isOwnPhotographs},
    DatasetKey{"dataset.orientation", isInImageFiles},
    DatasetKey{"dataset.bits", isInImageFiles},
    DatasetKey{"dataset.folds", hasMasks},
    DatasetKey{"dataset.fold", hasMasks},
    DatasetKey{"dataset.folds_file", hasMasks},
    DatasetKey{"dataset.dilation", hasMasks},
    DatasetKey{"dataset.mask_threshold", hasMaskFiles},
    DatasetKey{"dataset.mask_background", hasMaskFiles},
    DatasetKey{"dataset.sampling", hasMasks},
    DatasetKey{"dataset.damaged", isEncoded},
    DatasetKey{"dataset.patience_seconds", isEncoded},
    DatasetKey{"dataset.pattern", isInRecords},
    DatasetKey{"dataset.label_offset", isInRecords},
    DatasetKey{"input.crop", hasNoMasks},
    DatasetKey{"input.flip", hasNoMasks},
    DatasetKey{"input.brightness", hasNoMasks},
    DatasetKey{"input.contrast", hasNoMasks},
    DatasetKey{"input.saturation", isEncoded},
    DatasetKey{"input.hue", isEncoded},
    DatasetKey{"input.photo_pixels", isEncoded},
    DatasetKey{"input.scaled_decoding", isEncoded},
    DatasetKey{"input.standardize", isPlain},
    DatasetKey{"input.pad", isPlain},
    DatasetKey{"input.erase", hasNoMasks},
    DatasetKey{"input.mixup", hasNoMasks},
    DatasetKey{"input.mirror_horizontal", hasMasks},
    DatasetKey{"input.mirror_vertical", hasMasks},
    DatasetKey{"input.pixel_range", hasMasks},
    DatasetKey{"input.mask_label", hasMasks}};

/// A key that only some optimizers read.
struct OptimizerKey
{
    std::string_view name;
    std::string_view optimizer;
};

/// A key that only some courses of the learning rate read.
struct CourseKey
{
    std::string_view name;
    std::string_view course;
};

constexpr std::array kCourseKeys{
    CourseKey{"learning_rate.decay_factor", "exponential"},
    CourseKey{"learning_rate.decay_factor", "step"},
    CourseKey{"learning_rate.epochs_per_decay", "exponential"},
    CourseKey{"learning_rate.ignore_towers", "exponential"},
    CourseKey{"learning_rate.milestones", "step"},
    CourseKey{"learning_rate.final_share", "cosine"},
    CourseKey{"learning_rate.final_share", "polynomial"},
    CourseKey{"learning_rate.power", "polynomial"}};

constexpr std::array kOptimizerKeys{
    OptimizerKey{"optimizer.momentum", "momentum"}, OptimizerKey{"optimizer.momentum", "rmsprop"},
    OptimizerKey{"optimizer.nesterov", "momentum"}, OptimizerKey{"optimizer.decay", "rmsprop"},
    OptimizerKey{"optimizer.epsilon", "rmsprop"},   OptimizerKey{"optimizer.epsilon", "adam"},
    OptimizerKey{"optimizer.beta1", "adam"},        OptimizerKey{"optimizer.beta2", "adam"},
    OptimizerKey{"optimizer.epsilon", "adamw"},     OptimizerKey{"optimizer.beta1", "adamw"},
    OptimizerKey{"optimizer.beta2", "adamw"},       OptimizerKey{"optimizer.epsilon_as", "adam"},
    OptimizerKey{"optimizer.epsilon_as", "adamw"}};

/// Keys, or beginnings of keys, whose defaults a later version may change without a run computing
/// anything else, or that do nothing at their defaults. All others are always told, because a
/// version with other defaults must read the same run from the file: a new key is told until it is
/// listed here.
constexpr auto kToldIfOther = std::to_array<std::string_view>(
    {"dataset.path",
     "dataset.duplicates",
     "dataset.folds_file",
     "dataset.bits",
     "dataset.mask_threshold",
     "dataset.patience_seconds",
     "phase",
     "algorithms",
     "convolution",
     "capture",
     "gpu.",
     "epochs",
     "learning_rate.warmup",
     "optimizer.weight_decay",
     "optimizer.decay_all",
     "optimizer.clip_norm",
     "accumulate_passes",
     "stop.",
     kOfInitialWeights,
     "checkpoint.",
     "events.",
     "gradients.",
     "evaluate.",
     "input.threads",
     "input.prefetch_batches",
     "input.erase",
     "input.mixup",
     "input.pad",
     "input.photo_pixels",
     kOfExperiment,
     "alerts."});

bool isOfDataset(const std::string& dataset, const DatasetKey& key)
{
    const auto all = datasetCatalog();
    const auto found = std::ranges::find(all, dataset, &DatasetDescription::name);
    return key.isOf(found == all.end() ? DatasetDescription() : *found);
}

/// Whether the default leaves the choice to the model, the data set or the machine, so that telling
/// it would say nothing. Device and threads are told all the same: people look for them.
bool leavesOpen(const ConfigKey& key)
{
    const bool isOfNetwork = key.name.starts_with(kOfModel)
                             && (key.value == "''" || key.value == "0" || key.value == "0.0");
    return isOfNetwork || (key.value == "'auto'" && key.name != "device");
}

bool isAlwaysTold(const RunConfig& config, const ConfigKey& key)
{
    if (key.name.starts_with(kOfInitialWeights)) {
        return config.initialWeights.isGiven();
    }
    if (key.name.starts_with(kOfExperiment)) {
        return config.experiment.delayMilliseconds > 0.0
               || config.experiment.shards != ExperimentSettings().shards;
    }
    return !leavesOpen(key) && std::ranges::none_of(kToldIfOther, [&](std::string_view start) {
        return key.name.starts_with(start);
    });
}

bool isTold(const RunConfig& config, const ConfigKey& key, const ConfigKey& usual)
{
    // Of the steps the phases have the say, unless they are cut or extended.
    const bool isOfPhases =
        key.name == "steps" && !config.phases.empty() && config.steps == stepsOf(config.phases);
    const bool isGiven = !key.value.empty(); // the batch of a tower or of all: one of them is
    return isGiven && !isOfPhases && isOfUse(config, key.name)
           && (key.value != usual.value || config.asked.contains(key.name)
               || isAlwaysTold(config, key));
}

} // namespace

bool isOfUse(const RunConfig& config, std::string_view key)
{
    if (key.starts_with(kOfModel)) {
        return key == "model.name"
               || modelHasSetting(config.model.name, key.substr(kOfModel.size()));
    }
    if (const auto* const found = std::ranges::find(kDatasetKeys, key, &DatasetKey::name);
        found != kDatasetKeys.end()) {
        return isOfDataset(config.dataset, *found);
    }
    if (key == "learning_rate.unit") {
        return config.learningRate.warmup > 0.0 || config.learningRate.course == "step";
    }
    if (std::ranges::find(kCourseKeys, key, &CourseKey::name) != kCourseKeys.end()) {
        return std::ranges::any_of(kCourseKeys, [&](const CourseKey& each) {
            return each.name == key && each.course == config.learningRate.course;
        });
    }
    return std::ranges::find(kOptimizerKeys, key, &OptimizerKey::name) == kOptimizerKeys.end()
           || std::ranges::any_of(kOptimizerKeys, [&](const OptimizerKey& each) {
                  return each.name == key && each.optimizer == config.optimizer.name;
              });
}

std::string toToml(const RunConfig& config)
{
    std::string text =
        "# A run of Lockstep. Repeat it with: lockstep-train train --config FILE\n"
        "# Keys that are not here have their defaults: lockstep-train train --help\n";
    const std::vector<ConfigKey> usual = configKeys(RunConfig());
    const std::vector<ConfigKey> keys = configKeys(config);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (isTold(config, keys[i], usual[i])) {
            text += fmt::format("{} = {} # {}\n", keys[i].name, keys[i].value, keys[i].meaning);
        }
    }
    return text;
}

} // namespace lockstep
