// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/nearest_name.h"
#include "base/text_bytes.h"
#include "session/config/name_list.h"
#include "session/config/phase_keys.h"
#include "session/config/run_config.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <variant>

namespace lockstep {
namespace {

using Field = std::variant<
    std::string*, int*, std::int64_t*, std::uint64_t*, double*, bool*, std::optional<std::int64_t>*,
    ThreadsPerTower*, std::vector<PhaseSettings>*, std::vector<std::string>*>;

struct Key
{
    const char* name;
    Field field;
    const char* meaning;
};

/// The one table of settings: names, places, meanings.
std::vector<Key> keysOf(RunConfig& c)
{
    return {
        {"model.name", &c.model.name, "built-in network, or path of a model file (.toml)"},
        {"model.variant", &c.model.variant,
         "segdecnet: authors or third_party; inception_v3: trainer (TensorFlow's) or torchvision; "
         "empty: the first"},
        {"model.input_height", &c.model.inputHeight,
         "in pixels: a multiple of 64 for segdecnet, 75 or more for inception_v3; 0: the model's "
         "own"},
        {"model.input_width", &c.model.inputWidth, "in pixels, as model.input_height"},
        {"model.normalization", &c.model.normalization,
         "per_image, batch, synchronised or moving; empty: per_image for segdecnet, else batch"},
        {"model.moments", &c.moments,
         "how the towers' running moments merge: mean (of moments), last or first"},
        {"model.moment_decay", &c.model.momentDecay,
         "decay of the running moments (1 - PyTorch's momentum); 0: the model's own"},
        {"model.moment_ramp", &c.momentRamp,
         "for short runs: running moments decay by min(decay, (1+n)/(10+n)) after n steps"},
        {"model.scale", &c.model.scale, "segdecnet: whether normalisations scale, on or off"},
        {"model.initializer", &c.model.initializer,
         "segdecnet's convolutions begin with: normal or xavier"},
        {"model.mask_activation", &c.model.maskActivation,
         "segdecnet: what is applied to the mask that the decision reads, relu or sigmoid"},
        {"model.decision_outputs", &c.model.decisionOutputs,
         "segdecnet: 1 (sigmoid) or 2 (softmax)"},
        {"model.classes", &c.model.classes,
         "number of classes, without a background; 0: those of the data, or the model's own"},
        {"model.background", &c.model.hasBackground,
         "inception_v3: output 0 is none of the classes; labels of folders then begin at 1"},
        {"model.epsilon", &c.model.epsilon, "epsilon of the normalisations; 0: the model's own"},
        {"model.dropout_keep", &c.model.dropoutKeep,
         "share of the values before the logits that a step keeps; 0: the model's own"},
        {"model.label_smoothing", &c.model.labelSmoothing,
         "share of the target that is spread evenly over all classes; -1: the model's own"},
        {"model.auxiliary_weight", &c.model.auxiliaryWeight,
         "inception_v3: weight of the second objective; 0: it is only reported"},
        {"model.weight_decay", &c.model.weightDecay, "decay of the weights; -1: the model's own"},
        {"initial_weights.checkpoint", &c.initialWeights.checkpoint,
         "fine-tuning: checkpoint, safetensors file or run whose weights a new run begins with; "
         "empty: random"},
        {"initial_weights.weights", &c.initialWeights.weights,
         "which of its weights: average (moving averages) or raw; auto: average if it has them"},
        {"initial_weights.fresh_layers", &c.initialWeights.freshLayers,
         "layers that begin with random weights anyway, as those whose weights have another shape "
         "do"},
        {"dataset.name", &c.dataset,
         "synthetic or synthetic_defects (generated), cifar10, kolektorsdd, image_folder, "
         "tfrecord, masked_folder"},
        {"dataset.path", &c.datasetPath,
         "folder, archive or table of the data set, where it needs one"},
        {"dataset.test_on", &c.split.testOn,
         "what is tested on where the data have folders or lines of both: validation or test"},
        {"dataset.test_share", &c.split.testShare,
         "of image_folder: share of each class that is tested on where nothing is set apart"},
        {"dataset.duplicates", &c.split.duplicates,
         "test images that are training images, too: warn, refuse or ignore (not looked for)"},
        {"dataset.orientation", &c.pixels.orientation,
         "of images whose camera noted how it was held (EXIF): turn them so, or leave them as "
         "stored"},
        {"dataset.bits", &c.pixels.bits,
         "bits that PNGs of 16 use: 12 for values to 4,095; 0: as the file says, or all"},
        {"dataset.folds", &c.masked.folds, "parts, by item, of a data set with masks"},
        {"dataset.fold", &c.masked.fold, "the part to test on, from 0; -1: train and test on all"},
        {"dataset.folds_file", &c.masked.foldsFile,
         "file with lines such as 'kos01 0', the part of each item; empty: dealt by the seed"},
        {"dataset.dilation", &c.masked.dilation,
         "width of the diamond that a marked pixel becomes: 0 (as it is), 5, 9, 13 or 17"},
        {"dataset.mask_threshold", &c.masked.maskThreshold,
         "least value of a mask, of 255, that marks: 1 for any, 128 for soft edges or noise"},
        {"dataset.mask_background", &c.masked.maskBackground,
         "of masks: black, white (inverted masks); auto: black, refused where most is marked"},
        {"dataset.sampling", &c.masked.sampling,
         "balanced: half of each batch defective; shuffled; auto: balanced where there are masks"},
        {"dataset.damaged", &c.encoded.damaged,
         "of image_folder and tfrecord: skip leaves damaged images out, up to one in a hundred; "
         "skip_all: any number; refuse: none"},
        {"dataset.patience_seconds", &c.encoded.patienceSeconds,
         "how long a run waits for images that can't be read: a drive is away; 0: not at all"},
        {"dataset.pattern", &c.encoded.pattern,
         "names of tfrecord's files; {split} stands for train, val, test …; auto: the usual ones"},
        {"dataset.label_offset", &c.encoded.labelOffset, "added to the labels of tfrecord"},
        {"towers", &c.towers, "replicas that train in lockstep, one batch each"},
        {"threads_per_tower", &c.threadsPerTower,
         "CPU threads of a tower; 0: processors / towers; 'measure': the fastest, tried at start"},
        {"device", &c.device, "auto, cpu, cuda or cuda:I[,J]; a named device is strict"},
        {"batch_per_tower", &c.batchPerTower,
         "examples of one tower in one step; 128 if neither this nor global_batch is given"},
        {"global_batch", &c.globalBatch,
         "examples of all towers in one step, instead of batch_per_tower"},
        {"accumulate_passes", &c.accumulatePasses,
         "passes in which a tower goes over its batch, with the memory of one; its gradient is "
         "their sum"},
        {"steps", &c.steps, "updates in all; cuts the phases or extends the last"},
        {"epochs", &c.epochs,
         "passes over the training set, in place of steps; 0: as many steps as that key says"},
        {"phase", &c.phases,
         "what is trained when: [[phase]] with objective, steps, learning_rate, frozen"},
        {"seed", &c.seed, "key of every random number"},
        {"precision", &c.precision, "float32, tf32 or bfloat16"},
        {"algorithms", &c.algorithms,
         "of each layer, as a run chose them by time, on GPUs or for bfloat16; empty: the fastest; "
         "first: untimed"},
        {"convolution", &c.convolution,
         "of processors: auto (the fastest way), or direct: by sums, where small filters take 2 to "
         "4 times as long and lose fewer digits"},
        {"capture", &c.isCaptured,
         "replay a captured step on GPUs; false: enqueue every step anew"},
        {"gpu.without", &c.gpuWithout,
         "what shortens a step on GPUs or tells of it, and is to be left out: head, tail, "
         "phase_clock …; an unknown name lists all"},
        {"learning_rate.initial", &c.learningRate.initial, "rate until the first decay"},
        {"learning_rate.schedule", &c.learningRate.course,
         "exponential (every epochs_per_decay), step (at milestones), cosine or polynomial (to the "
         "end of the run)"},
        {"learning_rate.warmup", &c.learningRate.warmup,
         "epochs or steps in which the rate rises in a straight line from 0; 0: none"},
        {"learning_rate.milestones", &c.learningRate.milestones,
         "step: when the rate decays, such as '30, 60, 80'"},
        {"learning_rate.unit", &c.learningRate.unit,
         "what warm-up and milestones are counted in: epochs or steps"},
        {"learning_rate.final_share", &c.learningRate.finalShare,
         "cosine and polynomial: share of the initial rate that is left at the end"},
        {"learning_rate.power", &c.learningRate.power, "polynomial: 1 is a straight line"},
        {"learning_rate.decay_factor", &c.learningRate.decayFactor, "factor of each decay"},
        {"learning_rate.epochs_per_decay", &c.learningRate.epochsPerDecay,
         "passes over the training set between decays"},
        {"learning_rate.ignore_towers", &c.learningRate.ignoreTowers,
         "decay by the batch of one tower, as TensorFlow's script did until 2018"},
        {"optimizer.name", &c.optimizer.name,
         "how weights follow their gradient: sgd, momentum, rmsprop, adam or adamw"},
        {"optimizer.momentum", &c.optimizer.momentum,
         "momentum (0.9 is usual) and rmsprop: the share of a step that is left in the next one"},
        {"optimizer.nesterov", &c.optimizer.isNesterov, "momentum: look a step ahead"},
        {"optimizer.decay", &c.optimizer.decay, "rmsprop: decay of the mean of squared gradients"},
        {"optimizer.epsilon", &c.optimizer.epsilon,
         "rmsprop (inside the root), adam and adamw (outside it); 0: 1e-10 for rmsprop, else 1e-8"},
        {"optimizer.epsilon_as", &c.optimizer.epsilonAs,
         "adam and adamw: epsilon beside the corrected root (pytorch) or the plain one "
         "(tensorflow)"},
        {"optimizer.beta1", &c.optimizer.beta1, "adam and adamw: decay of the mean of gradients"},
        {"optimizer.beta2", &c.optimizer.beta2,
         "adam and adamw: decay of the mean of squared gradients"},
        {"optimizer.weight_decay", &c.optimizer.weightDecay,
         "of all weights; adamw: apart from the gradient; -1: the model's own"},
        {"optimizer.clip_norm", &c.optimizer.clipNorm,
         "largest norm of the averaged gradient, which is scaled down to it; 0: none"},
        {"optimizer.decay_all", &c.optimizer.decaysAll,
         "decay biases and normalisations too, as PyTorch does unless told otherwise"},
        {"moving_average.decay", &c.movingAverageDecay,
         "decay of the weights' moving average, min(decay, (1+n)/(10+n))"},
        {"averaging.missing_gradient", &c.missingGradient,
         "a gradient that only some towers have: error, or count as zeros"},
        {"checkpoint.every_steps", &c.checkpointEverySteps,
         "0: not by steps; at step 0 and at the end always"},
        {"checkpoint.every_minutes", &c.checkpointEveryMinutes,
         "save as well when the newest checkpoint is so old; 0: never"},
        {"checkpoint.keep", &c.checkpointKeep, "newest checkpoints that are kept"},
        {"checkpoint.keep_best", &c.checkpointKeepBest, "best checkpoints that are kept as well"},
        {"checkpoint.best_by", &c.checkpointBestBy,
         "on the test set, of moving averages: accuracy, top5, loss, average_precision; raw_…: of "
         "the weights"},
        {"stop.patience", &c.stopPatience,
         "evaluations, none better by checkpoint.best_by, after which the run ends; 0: never"},
        {"events.every_steps", &c.eventsEverySteps,
         "steps between records for TensorBoard in RUN/events; 0: none"},
        {"gradients.every_steps", &c.gradientsEverySteps,
         "steps between measurements of the towers' gradients; 0: none"},
        {"evaluate.every_steps", &c.evaluateEverySteps, "0: only at the end"},
        {"evaluate.at_end", &c.evaluateAtEnd, "evaluate after the last step"},
        {"evaluate.towers", &c.evaluateTowers, "towers that evaluate, same result for any; 0: all"},
        {"input.threads", &c.inputThreads,
         "loader threads; 0: 4 for each tower on GPUs, else a quarter of the processors"},
        {"input.prefetch_batches", &c.inputPrefetchBatches, "global batches kept ready"},
        {"input.crop", &c.distortion.crop, "random crop; false: central crop"},
        {"input.flip", &c.distortion.flip, "mirror every other image"},
        {"input.brightness", &c.distortion.brightness, "random brightness"},
        {"input.contrast", &c.distortion.contrast, "random contrast"},
        {"input.saturation", &c.encoded.saturation, "random saturation, of photographs"},
        {"input.hue", &c.encoded.hue, "random hue, of photographs"},
        {"input.scaled_decoding", &c.encoded.isDecodedScaled,
         "decode photographs no larger than needed; false: whole"},
        {"input.standardize", &c.distortion.standardize, "mean 0 and deviation 1 for each image"},
        {"input.photo_pixels", &c.encoded.pixels,
         "of photographs: symmetric (-1 to 1) or imagenet (as torchvision's weights expect them); "
         "auto: as the model wants it"},
        {"input.pad", &c.distortion.pad,
         "pixels of an image's mean colour on every side, before the random crop"},
        {"input.mixup", &c.distortion.mixup,
         "mix images and labels in pairs, by shares of a beta distribution with this alpha, such "
         "as "
         "0.2; 0: not"},
        {"input.erase", &c.distortion.erase,
         "random erasing: share of the images of which a box is blanked out, 0 to 1; 0: none"},
        {"input.mirror_horizontal", &c.masked.mirrorHorizontal,
         "mirror every other image with its mask, left to right; input.crop to input.standardize "
         "are for images without masks"},
        {"input.mirror_vertical", &c.masked.mirrorVertical,
         "mirror every other image with its mask, top to bottom"},
        {"input.pixel_range", &c.masked.pixelRange,
         "of images with masks: unit (0 to 1) or byte (0 to 255); auto: as the model wants it"},
        {"input.mask_label", &c.masked.maskLabel,
         "pooled (17 × 17 average) or reduced (0 or 1) at 1/8 size; auto: as the model wants it"},
        {"experiment.delay_ms", &c.experiment.delayMilliseconds,
         "for teaching: milliseconds that one tower on the CPU sleeps in every backward pass"},
        {"experiment.delay_tower", &c.experiment.delayTower, "which tower sleeps; -1: the last"},
        {"experiment.shards", &c.experiment.shards,
         "a fault on purpose: same (rows for all towers), skewed or poisoned (one tower); "
         "distinct: none"},
        {"experiment.tower", &c.experiment.tower,
         "which tower is skewed or poisoned; -1: the last"},
        {"experiment.class", &c.experiment.exampleClass, "class of all examples of a skewed tower"},
        {"alerts.plateau_steps", &c.alerts.plateauSteps,
         "alert when the loss has not fallen for this many steps; 0: never (as for all alerts)"},
        {"alerts.stuck_seconds", &c.alerts.stuckSeconds,
         "when no step has been done for this long, and for 20 times the median of the last steps"},
        {"alerts.input_share", &c.alerts.inputShare,
         "when the towers wait for data for more than this share of 100 steps"},
        {"alerts.disk_checkpoints", &c.alerts.diskCheckpoints,
         "when the disk has room for fewer checkpoints"},
        {"alerts.tower_loss", &c.alerts.towerLoss,
         "when a tower's loss differs from that of the others by more than this share of it"},
        {"alerts.tower_wait", &c.alerts.towerWait,
         "when a tower makes the others wait for more than this share of the time"},
    };
}

constexpr const char* kNumberOrMeasure = "a whole number or 'measure'";

template<class T>
constexpr const char* kKindOfNumber = std::is_floating_point_v<T> ? "a number"
                                      : std::is_unsigned_v<T>     ? "a whole number of 0 or more"
                                                                  : "a whole number";

template<class T>
T numberOf(const char* key, const std::string& text, const char* kind = kKindOfNumber<T>)
{
    const char* end = text.data() + text.size();
    T parsed{};
    const auto [stop, error] = std::from_chars(text.data(), end, parsed);
    if (error != std::errc() || stop != end || text.empty()) {
        fail(ErrorCode::BadInput, "{} is '{}', but must be {}", key, text, kind);
    }
    return parsed;
}

/// Reads text into a field of any type.
struct FromText
{
    const char* key;
    const std::string& text;

    void operator()(std::string* field) const { *field = text; }
    void operator()(bool* field) const
    {
        if (text != "true" && text != "false") {
            fail(ErrorCode::BadInput, "{} is '{}', but must be true or false", key, text);
        }
        *field = text == "true";
    }
    void operator()(std::optional<std::int64_t>* field) const
    {
        *field = numberOf<std::int64_t>(key, text);
    }
    void operator()(ThreadsPerTower* field) const
    {
        const bool isMeasured = text == kMeasure;
        *field = {isMeasured ? 0 : numberOf<int>(key, text, kNumberOrMeasure), isMeasured};
    }
    void operator()(std::vector<PhaseSettings>* field) const { *field = readPhases(text); }
    void operator()(std::vector<std::string>* field) const { *field = readNames(key, text); }
    template<class T>
    void operator()(T* field) const
    {
        *field = numberOf<T>(key, text);
    }
};

/// A field as TOML; empty for a setting that is not given.
struct ToText
{
    std::string operator()(const std::string* field) const
    {
        std::ostringstream text;
        text << toml::value<std::string>(toUtf8(*field));
        return text.str();
    }
    std::string operator()(const bool* field) const { return *field ? "true" : "false"; }
    std::string operator()(const ThreadsPerTower* field) const
    {
        return field->isMeasured ? fmt::format("'{}'", kMeasure) : fmt::format("{}", field->number);
    }
    std::string operator()(const std::optional<std::int64_t>* field) const
    {
        return *field ? fmt::format("{}", **field) : "";
    }
    std::string operator()(const double* field) const { return decimalText(*field); }
    std::string operator()(const std::vector<PhaseSettings>* field) const
    {
        return phasesText(*field);
    }
    std::string operator()(const std::vector<std::string>* field) const
    {
        return namesText(*field);
    }
    template<class T>
    std::string operator()(const T* field) const
    {
        return fmt::format("{}", *field);
    }
};

const Key& findKey(const std::vector<Key>& keys, const std::string& given)
{
    const std::string name = given == "model" ? "model.name" : given; // the short form
    const auto found = std::ranges::find_if(keys, [&](const Key& key) { return name == key.name; });
    if (found != keys.end()) {
        return *found;
    }
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const Key& key : keys) {
        names.emplace_back(key.name);
    }
    fail(
        ErrorCode::BadInput, "the key '{}' is not known; did you mean '{}'?", name,
        nearestName(name, names));
}

/// What a TOML value is called, and its text, if a field of this type can take it.
class FromToml
{
public:
    FromToml(const Key& key, const toml::node& node) : m_key(key), m_node(node) {}

    void operator()(std::string* field) const
    {
        *field = fromUtf8(take<std::string>("a text in quotes"));
    }
    void operator()(bool* field) const { *field = take<bool>("true or false"); }
    void operator()(double* field) const
    {
        if (!m_node.is_number()) {
            refuse("a number");
        }
        *field = m_node.value<double>().value();
    }
    void operator()(std::optional<std::int64_t>* field) const { *field = whole<std::int64_t>(); }
    void operator()(std::int64_t* field) const { *field = whole<std::int64_t>(); }
    void operator()(int* field) const { *field = whole<int>(); }
    void operator()(std::uint64_t* field) const { *field = whole<std::uint64_t>(); }
    void operator()(ThreadsPerTower* field) const
    {
        const bool isMeasured = m_node.value_exact<std::string>() == kMeasure;
        *field = {isMeasured ? 0 : whole<int>(kNumberOrMeasure), isMeasured};
    }
    void operator()(std::vector<PhaseSettings>* field) const { *field = readPhases(m_node); }
    void operator()(std::vector<std::string>* field) const
    {
        *field = readNames(m_key.name, m_node);
    }

private:
    [[noreturn]] void refuse(const char* kind) const
    {
        fail(ErrorCode::BadInput, "{} must be {}", m_key.name, kind);
    }
    template<class Toml>
    [[nodiscard]] const Toml& take(const char* kind) const
    {
        const auto* value = m_node.as<Toml>();
        if (value == nullptr) {
            refuse(kind);
        }
        return value->get();
    }
    template<class T>
    [[nodiscard]] T whole(const char* kind = "a whole number") const
    {
        const auto value = take<std::int64_t>(kind);
        if (!std::in_range<T>(value)) {
            fail(ErrorCode::BadInput, "{} is {}, which is out of range", m_key.name, value);
        }
        return static_cast<T>(value);
    }

    const Key& m_key;
    const toml::node& m_node;
};

void readTable(RunConfig& config, const toml::table& table, const std::string& prefix)
{
    const std::vector<Key> keys = keysOf(config);
    for (const auto& [name, node] : table) {
        const std::string path = prefix + std::string(name.str());
        if (const auto* inner = node.as_table()) {
            readTable(config, *inner, path + ".");
        } else {
            const Key& key = findKey(keys, path);
            std::visit(FromToml(key, node), key.field);
            config.asked.insert(key.name);
        }
    }
}

constexpr std::string_view kPhase = "phase";

bool isOfPhases(std::string_view key)
{
    return key == kPhase || key.starts_with("phase.");
}

bool isOfModel(std::string_view key)
{
    return key == "model" || key == "model.name";
}

/// After phases or model were set: as many steps as those have.
void takeSteps(RunConfig& config)
{
    const auto phases = config.phases.empty() ? usualPhases(config.model.name) : config.phases;
    config.steps = phases.empty() ? config.steps : stepsOf(phases);
}

} // namespace

std::vector<ConfigKey> configKeys(const RunConfig& config)
{
    RunConfig copy = config;
    std::vector<ConfigKey> result;
    for (const Key& key : keysOf(copy)) {
        result.push_back({key.name, std::visit(ToText(), key.field), key.meaning});
    }
    return result;
}

void setConfigValue(RunConfig& config, const std::string& key, const std::string& value)
{
    if (isOfPhases(key) && key != kPhase) {
        setPhaseValue(config.phases, key.substr(kPhase.size() + 1), value);
        config.asked.emplace(kPhase);
    } else {
        const auto keys = keysOf(config);
        const Key& found = findKey(keys, key);
        std::visit(FromText{found.name, value}, found.field);
        config.asked.insert(found.name);
    }
    if (isOfPhases(key) || isOfModel(key)) {
        takeSteps(config);
    }
}

void parseConfig(RunConfig& config, const std::string& text, const std::string& origin)
{
    try {
        const toml::table table = toml::parse(text, origin);
        readTable(config, table, "");
        // As toToml() begins.
        const bool isOfRun = text.starts_with("# A run of Lockstep.");
        if (isOfRun && !table["dataset"]["orientation"] && isOfUse(config, "dataset.orientation")) {
            config.pixels.orientation = "stored"; // a version before this key left images so
        }
        if (isOfRun && !table["optimizer"]["epsilon_as"] && config.optimizer.name == "adam") {
            config.optimizer.epsilonAs = "tensorflow"; // as adam had it before this key
        }
        if (!table.contains("steps") && (table.contains(kPhase) || table.contains("model"))) {
            takeSteps(config);
        }
    } catch (const toml::parse_error& error) {
        fail(
            ErrorCode::BadInput, "{}, line {}: {}", origin, error.source().begin.line,
            error.description());
    } catch (const Error& error) {
        fail(error.code(), "{}: {}", origin, error.what());
    }
}

void readConfigFile(RunConfig& config, const std::filesystem::path& file)
{
    std::ifstream stream(file);
    if (!stream) {
        fail(ErrorCode::BadInput, "{}: can't read the configuration{}", file.string(), errnoText());
    }
    const std::string text{
        std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    parseConfig(config, text, file.string());
}

} // namespace lockstep
