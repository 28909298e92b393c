// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/run_field_text.h"

#include <algorithm>
#include <array>

namespace lockstep::ui {
namespace {

struct Words
{
    const char* key = "";
    const char* label = "";
    WholeNumberBox::Range range = {};
    const char* zero = "";
    const char* unit = "";
    const char* formula = "";
};

constexpr const char* kOwn = QT_TRANSLATE_NOOP("RunPanel", "the model's own");
constexpr const char* kNever = QT_TRANSLATE_NOOP("RunPanel", "never");
constexpr const char* kOff = QT_TRANSLATE_NOOP("RunPanel", "off");
constexpr const char* kLast = QT_TRANSLATE_NOOP("RunPanel", "last");
constexpr const char* kAtEnd = QT_TRANSLATE_NOOP("RunPanel", "only at the end");
constexpr const char* kPixels = QT_TRANSLATE_NOOP("RunPanel", " px");
constexpr const char* kSteps = QT_TRANSLATE_NOOP("RunPanel", " steps");
constexpr WholeNumberBox::Range kUpToABillion{0, 1'000'000'000, 100};
constexpr WholeNumberBox::Range kUpTo1024{0, 1024, 1};
constexpr WholeNumberBox::Range kSide{0, 16'384, 64};
constexpr WholeNumberBox::Range kTower{-1, 1023, 1};

constexpr std::array kWords{
    Words{"model.name", QT_TRANSLATE_NOOP("RunPanel", "&Model")},
    Words{"model.variant", QT_TRANSLATE_NOOP("RunPanel", "Variant")},
    Words{
        "model.input_height", QT_TRANSLATE_NOOP("RunPanel", "Input height"), kSide, kOwn, kPixels},
    Words{"model.input_width", QT_TRANSLATE_NOOP("RunPanel", "Input width"), kSide, kOwn, kPixels},
    Words{"model.normalization", QT_TRANSLATE_NOOP("RunPanel", "Normalisation")},
    Words{"model.moments", QT_TRANSLATE_NOOP("RunPanel", "Merged moments")},
    Words{"model.moment_decay", QT_TRANSLATE_NOOP("RunPanel", "Moment decay")},
    Words{"model.moment_ramp", QT_TRANSLATE_NOOP("RunPanel", "Moment ramp")},
    Words{"model.scale", QT_TRANSLATE_NOOP("RunPanel", "Gamma")},
    Words{"model.initializer", QT_TRANSLATE_NOOP("RunPanel", "Initial weights")},
    Words{"model.mask_activation", QT_TRANSLATE_NOOP("RunPanel", "Mask to decision")},
    Words{
        "model.decision_outputs",
        QT_TRANSLATE_NOOP("RunPanel", "Decision outputs"),
        {0, 2, 1},
        kOwn},
    Words{"model.classes", QT_TRANSLATE_NOOP("RunPanel", "Classes"), {1, 100'000, 1}},
    Words{"model.background", QT_TRANSLATE_NOOP("RunPanel", "Background class")},
    Words{"model.epsilon", QT_TRANSLATE_NOOP("RunPanel", "Variance epsilon")},
    Words{"model.dropout_keep", QT_TRANSLATE_NOOP("RunPanel", "Dropout keeps")},
    Words{"model.label_smoothing", QT_TRANSLATE_NOOP("RunPanel", "Label smoothing")},
    Words{"model.auxiliary_weight", QT_TRANSLATE_NOOP("RunPanel", "Auxiliary weight")},
    Words{"model.weight_decay", QT_TRANSLATE_NOOP("RunPanel", "Weight decay")},
    Words{"initial_weights.checkpoint", QT_TRANSLATE_NOOP("RunPanel", "Weights from")},
    Words{"initial_weights.weights", QT_TRANSLATE_NOOP("RunPanel", "Which weights")},
    Words{"initial_weights.fresh_layers", QT_TRANSLATE_NOOP("RunPanel", "Fresh layers")},
    Words{"phase", QT_TRANSLATE_NOOP("RunPanel", "Phases")},
    Words{"dataset.name", QT_TRANSLATE_NOOP("RunPanel", "D&ata set")},
    Words{"dataset.path", QT_TRANSLATE_NOOP("RunPanel", "Data f&older")},
    Words{"dataset.folds", QT_TRANSLATE_NOOP("RunPanel", "Folds"), {2, 100, 1}},
    Words{"dataset.fold", QT_TRANSLATE_NOOP("RunPanel", "Test fold"), {-1, 99, 1}},
    Words{"dataset.folds_file", QT_TRANSLATE_NOOP("RunPanel", "File of folds")},
    Words{"dataset.dilation", QT_TRANSLATE_NOOP("RunPanel", "Wider marks")},
    Words{"dataset.sampling", QT_TRANSLATE_NOOP("RunPanel", "Sampling")},
    Words{"dataset.damaged", QT_TRANSLATE_NOOP("RunPanel", "Damaged images")},
    Words{"dataset.pattern", QT_TRANSLATE_NOOP("RunPanel", "Record files")},
    Words{
        "dataset.label_offset",
        QT_TRANSLATE_NOOP("RunPanel", "Label offset"),
        {-100'000, 100'000, 1}},
    Words{
        "towers",
        QT_TRANSLATE_NOOP("RunPanel", "&GPUs (towers)"),
        {1, 1024, 1},
        "",
        "",
        QT_TRANSLATE_NOOP("RunPanel", "s/batch = step seconds ÷ towers")},
    Words{"threads_per_tower", QT_TRANSLATE_NOOP("RunPanel", "Threads a tower")},
    Words{"device", QT_TRANSLATE_NOOP("RunPanel", "D&evice")},
    Words{
        "batch_per_tower",
        QT_TRANSLATE_NOOP("RunPanel", "&Batch per tower"),
        {1, 1'000'000, 1},
        "",
        "",
        QT_TRANSLATE_NOOP("RunPanel", "batch per tower = global batch ÷ towers")},
    Words{
        "global_batch",
        QT_TRANSLATE_NOOP("RunPanel", "G&lobal batch"),
        {},
        "",
        "",
        QT_TRANSLATE_NOOP("RunPanel", "global batch = towers × batch per tower")},
    Words{"steps", QT_TRANSLATE_NOOP("RunPanel", "&Steps"), {1, 1'000'000'000, 100}},
    Words{"seed", QT_TRANSLATE_NOOP("RunPanel", "See&d")},
    Words{"precision", QT_TRANSLATE_NOOP("RunPanel", "&Precision")},
    Words{"algorithms", QT_TRANSLATE_NOOP("RunPanel", "Algorithms")},
    Words{"capture", QT_TRANSLATE_NOOP("RunPanel", "Replay steps")},
    Words{"learning_rate.initial", QT_TRANSLATE_NOOP("RunPanel", "Lear&ning rate")},
    Words{"learning_rate.decay_factor", QT_TRANSLATE_NOOP("RunPanel", "Rate decay factor")},
    Words{"learning_rate.epochs_per_decay", QT_TRANSLATE_NOOP("RunPanel", "Epochs per decay")},
    Words{"learning_rate.ignore_towers", QT_TRANSLATE_NOOP("RunPanel", "Decay by tower")},
    Words{"optimizer.name", QT_TRANSLATE_NOOP("RunPanel", "Optimizer")},
    Words{"optimizer.momentum", QT_TRANSLATE_NOOP("RunPanel", "Momentum")},
    Words{"optimizer.nesterov", QT_TRANSLATE_NOOP("RunPanel", "Nesterov")},
    Words{"optimizer.decay", QT_TRANSLATE_NOOP("RunPanel", "Decay of squares")},
    Words{"optimizer.epsilon", QT_TRANSLATE_NOOP("RunPanel", "Epsilon")},
    Words{"optimizer.beta1", QT_TRANSLATE_NOOP("RunPanel", "Beta 1")},
    Words{"optimizer.beta2", QT_TRANSLATE_NOOP("RunPanel", "Beta 2")},
    Words{"moving_average.decay", QT_TRANSLATE_NOOP("RunPanel", "Moving average")},
    Words{"averaging.missing_gradient", QT_TRANSLATE_NOOP("RunPanel", "Missing gradient")},
    Words{
        "checkpoint.every_steps", QT_TRANSLATE_NOOP("RunPanel", "Save ever&y"), kUpToABillion,
        QT_TRANSLATE_NOOP("RunPanel", "not by steps"), kSteps},
    Words{"checkpoint.every_minutes", QT_TRANSLATE_NOOP("RunPanel", "Save every (min)")},
    Words{"checkpoint.keep", QT_TRANSLATE_NOOP("RunPanel", "&Keep newest"), {1, 1'000'000, 1}},
    Words{
        "checkpoint.keep_best",
        QT_TRANSLATE_NOOP("RunPanel", "Keep best"),
        {0, 1'000'000, 1},
        QT_TRANSLATE_NOOP("RunPanel", "none")},
    Words{"checkpoint.best_by", QT_TRANSLATE_NOOP("RunPanel", "Best by")},
    Words{
        "events.every_steps", QT_TRANSLATE_NOOP("RunPanel", "Events every"), kUpToABillion, kNever,
        kSteps},
    Words{
        "gradients.every_steps",
        QT_TRANSLATE_NOOP("RunPanel", "Gradients every"),
        {0, 1'000'000'000, 10},
        kNever,
        kSteps},
    Words{
        "evaluate.every_steps", QT_TRANSLATE_NOOP("RunPanel", "Evalua&te every"), kUpToABillion,
        kAtEnd, kSteps},
    Words{"evaluate.at_end", QT_TRANSLATE_NOOP("RunPanel", "Evaluate at end")},
    Words{
        "evaluate.towers", QT_TRANSLATE_NOOP("RunPanel", "Evaluate on"), kUpTo1024,
        QT_TRANSLATE_NOOP("RunPanel", "all towers"), QT_TRANSLATE_NOOP("RunPanel", " towers")},
    Words{
        "input.threads", QT_TRANSLATE_NOOP("RunPanel", "Loader threads"), kUpTo1024,
        QT_TRANSLATE_NOOP("RunPanel", "automatic")},
    Words{"input.prefetch_batches", QT_TRANSLATE_NOOP("RunPanel", "Batches ahead"), {1, 1024, 1}},
    Words{"input.crop", QT_TRANSLATE_NOOP("RunPanel", "Random crop")},
    Words{"input.flip", QT_TRANSLATE_NOOP("RunPanel", "Random flip")},
    Words{"input.brightness", QT_TRANSLATE_NOOP("RunPanel", "Brightness")},
    Words{"input.contrast", QT_TRANSLATE_NOOP("RunPanel", "Contrast")},
    Words{"input.saturation", QT_TRANSLATE_NOOP("RunPanel", "Saturation")},
    Words{"input.hue", QT_TRANSLATE_NOOP("RunPanel", "Hue")},
    Words{"input.scaled_decoding", QT_TRANSLATE_NOOP("RunPanel", "Small decoding")},
    Words{"input.standardize", QT_TRANSLATE_NOOP("RunPanel", "Standardise")},
    Words{"input.mirror_horizontal", QT_TRANSLATE_NOOP("RunPanel", "Mirror left, right")},
    Words{"input.mirror_vertical", QT_TRANSLATE_NOOP("RunPanel", "Mirror top, bottom")},
    Words{"input.pixel_range", QT_TRANSLATE_NOOP("RunPanel", "Pixel range")},
    Words{"input.mask_label", QT_TRANSLATE_NOOP("RunPanel", "Mask labels")},
    Words{"experiment.delay_ms", QT_TRANSLATE_NOOP("RunPanel", "Delay (ms)")},
    Words{"experiment.delay_tower", QT_TRANSLATE_NOOP("RunPanel", "Delayed tower"), kTower, kLast},
    Words{"experiment.shards", QT_TRANSLATE_NOOP("RunPanel", "Experiment")},
    Words{"experiment.tower", QT_TRANSLATE_NOOP("RunPanel", "Which tower"), kTower, kLast},
    Words{"experiment.class", QT_TRANSLATE_NOOP("RunPanel", "With class"), {0, 1'000'000, 1}},
    Words{
        "alerts.plateau_steps",
        QT_TRANSLATE_NOOP("RunPanel", "Plateau of"),
        {0, 1'000'000'000, 1000},
        kOff,
        kSteps},
    Words{"alerts.stuck_seconds", QT_TRANSLATE_NOOP("RunPanel", "Stuck (s)")},
    Words{"alerts.input_share", QT_TRANSLATE_NOOP("RunPanel", "Input share")},
    Words{
        "alerts.disk_checkpoints",
        QT_TRANSLATE_NOOP("RunPanel", "Disk for"),
        {0, 1'000'000, 1},
        kOff,
        QT_TRANSLATE_NOOP("RunPanel", " checkpoints")},
    Words{"alerts.tower_loss", QT_TRANSLATE_NOOP("RunPanel", "Tower's loss")},
    Words{"alerts.tower_wait", QT_TRANSLATE_NOOP("RunPanel", "Tower's wait")}};

QString translated(const char* text)
{
    return text[0] == '\0' ? QString() : RunText::tr(text);
}

} // namespace

std::optional<RunFieldText> runFieldText(const std::string& key)
{
    const auto* found = std::find_if(
        kWords.begin(), kWords.end(), [&](const Words& words) { return key == words.key; });
    if (found == kWords.end()) {
        return std::nullopt;
    }
    return RunFieldText{
        translated(found->label), translated(found->zero), translated(found->unit),
        translated(found->formula), found->range};
}

} // namespace lockstep::ui
