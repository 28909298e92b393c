// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/averaging_plan.h"
#include "device/precision.h"
#include "input/distortion.h"
#include "metrics/alert_settings.h"
#include "network/models/model_settings.h"
#include "session/config/experiment.h"
#include "session/config/optimizer_config.h"
#include "session/config/training_phases.h"
#include "tower/lanes.h"
#include "update/learning_rate.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The [initial_weights] table of a configuration: a new run begins, at step 0, with weights of
/// another training (fine-tuning).
struct InitialWeightsConfig
{
    /// A checkpoint, another safetensors file, a run or a folder of checkpoints, whose newest good
    /// one it then is; empty: random weights.
    std::string checkpoint;
    std::string weights = "auto"; ///< average, raw, or auto: average where there are some
    /// That begin at random weights although theirs would fit.
    std::vector<std::string> freshLayers = {};

    bool operator==(const InitialWeightsConfig&) const = default;

    [[nodiscard]] bool isGiven() const { return !checkpoint.empty(); }
    /// Checks what can be checked without the file. Error(BadInput) names the key.
    void validate() const;
};

/// How many CPU threads each tower gets. Accelerators don't use it.
struct ThreadsPerTower
{
    int number = 0;          ///< 0: processors / towers, at least 1
    bool isMeasured = false; ///< chosen by measuring when a training starts, see measureThreads()

    /// Something else than a number: it has to be chosen.
    [[nodiscard]] bool isOpen() const { return isMeasured || number == 0; }
    bool operator==(const ThreadsPerTower&) const = default;
};

/// The word that stands for isMeasured in configurations.
inline constexpr const char* kMeasure = "measure";

/// What a run is told of data sets whose images have masks; others have no use for it.
struct MaskedDataConfig
{
    int folds = 3; ///< see MaskedDataSettings
    int fold = 0;
    std::string foldsFile;
    int dilation = 5;
    int maskThreshold = 1;
    std::string maskBackground = "auto"; ///< see MaskBackground
    std::string sampling = "auto";       ///< auto: balanced; balanced or shuffled
    std::string pixelRange = "auto";     ///< auto: as the model wants it; unit or byte
    std::string maskLabel = "auto";      ///< auto: as the model wants it; pooled or reduced
    bool mirrorHorizontal = false;
    bool mirrorVertical = false;

    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

/// What a run is told of data sets of encoded photographs; others have no use for it.
struct EncodedDataConfig
{
    std::string damaged = "refuse";    ///< see DamagedImages
    std::string pattern = "{split}-*"; ///< see EncodedDataSettings
    int labelOffset = 0;
    bool saturation = true; ///< see PhotoSettings
    bool hue = true;
    bool isDecodedScaled = true;
    std::string pixels = "auto"; ///< auto: as the model wants it; symmetric or imagenet

    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

/// What a run is told of training and test examples in a person's own files.
struct SplitConfig
{
    std::string testOn = "validation"; ///< see SplitRules
    double testShare = 0.2;
    std::string duplicates = "warn"; ///< see DuplicateRule

    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

/// What a run is told of the values of image files, see PixelRules; others have no use for it.
struct PixelConfig
{
    std::string orientation = "turn"; ///< as the camera noted; or stored
    int bits = 0;

    bool operator==(const PixelConfig&) const = default;
    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

class Device;

/// Everything that a person can set for a run. Read from TOML files and from `key = value` pairs
/// with the same keys; written to run.toml, from which the run can be repeated: see toToml().
struct RunConfig
{
    ModelSettings model;
    std::string moments = "mean"; ///< how the towers' running moments merge: mean, last or first
    /// They decay by min(their decay, (1 + n) / (10 + n)) after n steps: for short runs.
    bool momentRamp = false;
    InitialWeightsConfig initialWeights;
    std::string dataset = "synthetic";
    std::string datasetPath; ///< folder or archive, where the data set needs one
    int towers = 2;
    ThreadsPerTower threadsPerTower;
    std::string device = "auto";
    std::optional<std::int64_t> batchPerTower; ///< neither this nor the next: 128
    std::optional<std::int64_t> globalBatch;   ///< towers x batch per tower
    int accumulatePasses = 1;                  ///< in which a tower goes over its batch
    std::int64_t steps = 1000;                 ///< updates in all, those before a resume included
    /// Passes over the training set, from which `steps` follow when a run begins; 0: as they are.
    double epochs = 0.0;
    /// What is trained when. Cut or extended to `steps`; none: what the model is usually trained
    /// in, see fittedPhases().
    std::vector<PhaseSettings> phases;
    std::uint64_t seed = 1;
    std::string precision = "float32";
    /// How each layer is computed where that was measured, as an earlier run chose it; see
    /// algorithmsText(). Empty: it is chosen anew; "first": untimed.
    std::string algorithms;
    /// How processors convolve: "auto", the fastest way, or "direct", by sums.
    std::string convolution = "auto";
    bool isCaptured = true;              ///< on an accelerator; see StepperSettings
    std::vector<std::string> gpuWithout; ///< names of StepFeatures that are off
    LearningRateSettings learningRate;
    OptimizerConfig optimizer;
    double movingAverageDecay = 0.9999;
    std::string missingGradient = "error";
    std::int64_t checkpointEverySteps = 1000; ///< 0: not by steps
    double checkpointEveryMinutes = 10.0;     ///< besides; 0: never
    int checkpointKeep = 5;
    int stopPatience = 0;       ///< evaluations without a better one, then the run ends; 0: never
    int checkpointKeepBest = 1; ///< besides the newest; needs evaluations to tell which
    std::string checkpointBestBy = "accuracy"; ///< accuracy or loss, raw_accuracy or raw_loss
    std::int64_t eventsEverySteps = 100;       ///< TensorBoard's event file; 0: none
    std::int64_t gradientsEverySteps =
        10;                              ///< what the towers' gradients say of each other; 0: never
    std::int64_t evaluateEverySteps = 0; ///< 0: only at the end
    bool evaluateAtEnd = true;
    int evaluateTowers = 0; ///< towers that evaluate; 0: all
    int inputThreads = 0;   ///< loader threads; 0: see loaderThreads()
    int inputPrefetchBatches = 4;
    DistortionSettings distortion; ///< its crop is set by the network's input
    SplitConfig split;
    PixelConfig pixels;
    MaskedDataConfig masked;   ///< instead, for data sets with masks
    EncodedDataConfig encoded; ///< besides, for data sets of encoded photographs
    ExperimentSettings experiment;
    AlertSettings alerts;
    /// Keys that a file or a command line set: toToml() tells them even where they set the default.
    std::set<std::string> asked;

    /// Checks every value that can be checked without opening anything. Error(BadInput) names the
    /// key.
    void validate() const;

    /// As replicas take them, see ReplicaSettings::algorithms.
    [[nodiscard]] std::map<std::string, std::string> layerAlgorithms() const;
    /// Towers, threads and batch as they will be used; threads that are yet to be measured count as
    /// the most that they may become. Needs validate().
    [[nodiscard]] TowerShape towerShape() const;
    /// Files that it names, those of data sets apart, are the same from whichever folder they are
    /// looked for.
    void makePathsAbsolute();
    /// Of a training whose first device it is.
    [[nodiscard]] int loaderThreads(const Device& first) const;
    /// The phases as they will be trained, `steps` in all; at least one.
    [[nodiscard]] std::vector<PhaseSettings> trainedPhases() const;
    /// Writes down what the model is usually trained in, where no phases are given; cut or
    /// extended. Not as long as epochs stand for the steps, whose number is not known then.
    void takeUsualPhases();
    /// Makes `steps` of the epochs that are asked for, if any, of a set of so many examples.
    void takeEpochs(std::int64_t examples);
    /// So many updates in all, whatever the epochs; the phases, where there are some, are cut or
    /// extended.
    void setSteps(std::int64_t wanted);
};

/// One setting, for help texts, tables and forms.
struct ConfigKey
{
    std::string name;    ///< "learning_rate.initial"
    std::string value;   ///< as TOML
    std::string meaning; ///< one line
};

/// All keys with the values of `config`, in the order of the file.
std::vector<ConfigKey> configKeys(const RunConfig& config);

/// Sets one key from text, as after `--set key=value`. Strings need no quotes. Error(BadInput)
/// names the key; an unknown key gets the nearest known one. Phases that are set, or a model that
/// is usually trained in some, say how many steps there are, until they are set.
void setConfigValue(RunConfig& config, const std::string& key, const std::string& value);

/// Sets what a TOML file or text says and leaves the rest; steps as above. What toToml() of a
/// version without dataset.orientation wrote leaves images as they are stored, as that version did.
/// Unknown keys and wrong types throw Error(BadInput) with `origin` and the key.
void readConfigFile(RunConfig& config, const std::filesystem::path& file);
void parseConfig(RunConfig& config, const std::string& text, const std::string& origin);

/// Whether a key means anything to the model, the data set and the optimizer of this configuration.
bool isOfUse(const RunConfig& config, std::string_view key);

/// The configuration as TOML, a key a line with a comment: the keys that decide what is computed,
/// and of the others those that were asked for or differ from their default; none that is of no
/// use. parseConfig() makes the same configuration of it, except for the keys of no use.
std::string toToml(const RunConfig& config);

} // namespace lockstep
