// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/run_text.h"

#include "engine/base.h"
#include "engine/data.h"
#include "models/engine_text.h"
#include "plots/axes/number_text.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

struct Words
{
    const char* key = "";
    const char* label = "";
    WholeNumberBox::Range range = {};
    const char* least = "";
    const char* unit = "";
    const char* formula = "";
};

constexpr WholeNumberBox::Range kUpToABillion{0, 1'000'000'000, 100};
constexpr WholeNumberBox::Range kUpTo1024{0, 1024, 1};
constexpr WholeNumberBox::Range kSide{0, 16'384, 64};
constexpr WholeNumberBox::Range kTower{-1, 1023, 1};

constexpr WholeNumberBox::Range range(qint64 least, qint64 most, qint64 step = 1)
{
    return {least, most, step};
}

/// In the context of the panel's texts.
struct RunWords
{
    Q_DECLARE_TR_FUNCTIONS(RunPanel)

public:
    static constexpr const char* kOwn = QT_TR_NOOP("the model's own");
    static constexpr const char* kOfData = QT_TR_NOOP("as the data");
    static constexpr const char* kOfFile = QT_TR_NOOP("as the file says");
    static constexpr const char* kNever = QT_TR_NOOP("never");
    static constexpr const char* kOff = QT_TR_NOOP("off");
    static constexpr const char* kNone = QT_TR_NOOP("none");
    static constexpr const char* kLast = QT_TR_NOOP("last");
    static constexpr const char* kAtEnd = QT_TR_NOOP("only at the end");
    static constexpr const char* kPixels = QT_TR_NOOP(" px");
    static constexpr const char* kSteps = QT_TR_NOOP(" steps");

    static constexpr Words kWords[]{
        {"model.name", QT_TR_NOOP("&Model")},
        {"model.variant", QT_TR_NOOP("Variant")},
        {"model.input_height", QT_TR_NOOP("Input height"), kSide, kOwn, kPixels},
        {"model.input_width", QT_TR_NOOP("Input width"), kSide, kOwn, kPixels},
        {"model.normalization", QT_TR_NOOP("Normalisation")},
        {"model.moments", QT_TR_NOOP("Merged moments")},
        {"model.moment_decay", QT_TR_NOOP("Moment decay"), {}, kOwn},
        {"model.moment_ramp", QT_TR_NOOP("Moment ramp")},
        {"model.scale", QT_TR_NOOP("Gamma")},
        {"model.initializer", QT_TR_NOOP("Initial weights")},
        {"model.mask_activation", QT_TR_NOOP("Mask to decision")},
        {"model.decision_outputs", QT_TR_NOOP("Decision outputs"), range(0, 2), kOwn},
        {"model.classes", QT_TR_NOOP("Classes"), range(0, 100'000), kOfData},
        {"model.background", QT_TR_NOOP("Background class")},
        {"model.epsilon", QT_TR_NOOP("Variance epsilon"), {}, kOwn},
        {"model.dropout_keep", QT_TR_NOOP("Dropout keeps"), range(0, 1), kOwn},
        {"model.label_smoothing", QT_TR_NOOP("Label smoothing"), range(-1, 1), kOwn},
        {"model.auxiliary_weight", QT_TR_NOOP("Auxiliary weight")},
        {"model.weight_decay", QT_TR_NOOP("Weight decay"), range(-1, 1), kOwn},
        {"initial_weights.checkpoint", QT_TR_NOOP("Weights from")},
        {"initial_weights.weights", QT_TR_NOOP("Which weights")},
        {"initial_weights.fresh_layers", QT_TR_NOOP("Fresh layers")},
        {"phase", QT_TR_NOOP("Phases")},
        {"dataset.name", QT_TR_NOOP("D&ata set")},
        {"dataset.path", QT_TR_NOOP("Data f&older")},
        {"dataset.test_on", QT_TR_NOOP("Tested on")},
        {"dataset.test_share", QT_TR_NOOP("Share for the test")},
        {"dataset.duplicates", QT_TR_NOOP("Duplicates")},
        {"dataset.orientation", QT_TR_NOOP("Orientation")},
        {"dataset.bits", QT_TR_NOOP("Bits of 16"), range(0, 16), kOfFile},
        {"dataset.folds", QT_TR_NOOP("Folds"), range(2, 100)},
        {"dataset.fold", QT_TR_NOOP("Test fold"), range(-1, 99), QT_TR_NOOP("all")},
        {"dataset.folds_file", QT_TR_NOOP("File of folds")},
        {"dataset.dilation", QT_TR_NOOP("Wider marks")},
        {"dataset.mask_threshold", QT_TR_NOOP("Marked from"), range(1, 255)},
        {"dataset.mask_background", QT_TR_NOOP("Mask background")},
        {"dataset.sampling", QT_TR_NOOP("Sampling")},
        {"dataset.damaged", QT_TR_NOOP("Damaged images")},
        {"dataset.patience_seconds", QT_TR_NOOP("Patience (s)")},
        {"dataset.pattern", QT_TR_NOOP("Record files")},
        {"dataset.label_offset", QT_TR_NOOP("Label offset"), range(-100'000, 100'000)},
        {"towers", QT_TR_NOOP("&GPUs (towers)"), range(1, 1024), "", "",
         QT_TR_NOOP("s/batch = step seconds ÷ towers")},
        {"threads_per_tower", QT_TR_NOOP("Threads a tower")},
        {"device", QT_TR_NOOP("D&evice")},
        {"batch_per_tower", QT_TR_NOOP("&Batch per tower"), range(1, 1'000'000), "", "",
         QT_TR_NOOP("batch per tower = global batch ÷ towers")},
        {"global_batch", QT_TR_NOOP("G&lobal batch"), range(0, 1'000'000'000), "", "",
         QT_TR_NOOP("global batch = towers × batch per tower")},
        {"accumulate_passes", QT_TR_NOOP("Passes a step"), range(1, 1'000'000)},
        {"steps", QT_TR_NOOP("&Steps"), range(1, 1'000'000'000, 100)},
        {"seed", QT_TR_NOOP("See&d")},
        {"precision", QT_TR_NOOP("&Precision")},
        {"algorithms", QT_TR_NOOP("Algorithms")},
        {"convolution", QT_TR_NOOP("Convolutions")},
        {"capture", QT_TR_NOOP("Replay steps")},
        {"gpu.without", QT_TR_NOOP("GPUs without")},
        {"learning_rate.initial", QT_TR_NOOP("Lear&ning rate")},
        {"epochs", QT_TR_NOOP("Epochs")},
        {"learning_rate.schedule", QT_TR_NOOP("Rate schedule")},
        {"learning_rate.warmup", QT_TR_NOOP("Warm-up"), {}, kNone},
        {"learning_rate.milestones", QT_TR_NOOP("Milestones")},
        {"learning_rate.unit", QT_TR_NOOP("Unit of schedule")},
        {"learning_rate.final_share", QT_TR_NOOP("Share at the end")},
        {"learning_rate.power", QT_TR_NOOP("Power")},
        {"learning_rate.decay_factor", QT_TR_NOOP("Rate decay factor")},
        {"learning_rate.epochs_per_decay", QT_TR_NOOP("Epochs per decay")},
        {"learning_rate.ignore_towers", QT_TR_NOOP("Decay by tower")},
        {"optimizer.name", QT_TR_NOOP("Optimizer")},
        {"optimizer.momentum", QT_TR_NOOP("Momentum")},
        {"optimizer.nesterov", QT_TR_NOOP("Nesterov")},
        {"optimizer.decay", QT_TR_NOOP("Decay of squares")},
        {"optimizer.epsilon", QT_TR_NOOP("Epsilon"), range(0, 1), QT_TR_NOOP("automatic")},
        {"optimizer.epsilon_as", QT_TR_NOOP("Epsilon as")},
        {"optimizer.beta1", QT_TR_NOOP("Beta 1")},
        {"optimizer.beta2", QT_TR_NOOP("Beta 2")},
        {"optimizer.weight_decay", QT_TR_NOOP("Weight decay"), range(-1, 1), kOwn},
        {"optimizer.clip_norm", QT_TR_NOOP("Clip norm"), {}, kNone},
        {"optimizer.decay_all", QT_TR_NOOP("Decay biases too")},
        {"moving_average.decay", QT_TR_NOOP("Moving average")},
        {"averaging.missing_gradient", QT_TR_NOOP("Missing gradient")},
        {"checkpoint.every_steps", QT_TR_NOOP("Save ever&y"), kUpToABillion,
         QT_TR_NOOP("not by steps"), kSteps},
        {"checkpoint.every_minutes", QT_TR_NOOP("Save every (min)"), {}, kNever},
        {"checkpoint.keep", QT_TR_NOOP("&Keep newest"), range(1, 1'000'000)},
        {"checkpoint.keep_best", QT_TR_NOOP("Keep best"), range(0, 1'000'000), kNone},
        {"checkpoint.best_by", QT_TR_NOOP("Best by")},
        {"stop.patience", QT_TR_NOOP("Patience"), range(0, 1'000'000), kNever,
         QT_TR_NOOP(" evaluations")},
        {"events.every_steps", QT_TR_NOOP("Events every"), kUpToABillion, kNever, kSteps},
        {"gradients.every_steps", QT_TR_NOOP("Gradients every"), range(0, 1'000'000'000, 10),
         kNever, kSteps},
        {"evaluate.every_steps", QT_TR_NOOP("Evalua&te every"), kUpToABillion, kAtEnd, kSteps},
        {"evaluate.at_end", QT_TR_NOOP("Evaluate at end")},
        {"evaluate.towers", QT_TR_NOOP("Evaluate on"), kUpTo1024, QT_TR_NOOP("all towers"),
         QT_TR_NOOP(" towers")},
        {"input.threads", QT_TR_NOOP("Loader threads"), kUpTo1024, QT_TR_NOOP("automatic")},
        {"input.prefetch_batches", QT_TR_NOOP("Batches ahead"), range(1, 1024)},
        {"input.crop", QT_TR_NOOP("Random crop")},
        {"input.flip", QT_TR_NOOP("Random flip")},
        {"input.photo_pixels", QT_TR_NOOP("Pixels")},
        {"input.pad", QT_TR_NOOP("Padding"), range(0, 1'000), "", kPixels},
        {"input.erase", QT_TR_NOOP("Random erasing"), {}, kOff},
        {"input.mixup", QT_TR_NOOP("Mixup"), {}, kOff},
        {"input.brightness", QT_TR_NOOP("Brightness")},
        {"input.contrast", QT_TR_NOOP("Contrast")},
        {"input.saturation", QT_TR_NOOP("Saturation")},
        {"input.hue", QT_TR_NOOP("Hue")},
        {"input.scaled_decoding", QT_TR_NOOP("Small decoding")},
        {"input.standardize", QT_TR_NOOP("Standardise")},
        {"input.mirror_horizontal", QT_TR_NOOP("Mirror left, right")},
        {"input.mirror_vertical", QT_TR_NOOP("Mirror top, bottom")},
        {"input.pixel_range", QT_TR_NOOP("Pixel range")},
        {"input.mask_label", QT_TR_NOOP("Mask labels")},
        {"experiment.delay_ms", QT_TR_NOOP("Delay (ms)"), {}, kNone},
        {"experiment.delay_tower", QT_TR_NOOP("Delayed tower"), kTower, kLast},
        {"experiment.shards", QT_TR_NOOP("Experiment")},
        {"experiment.tower", QT_TR_NOOP("Which tower"), kTower, kLast},
        {"experiment.class", QT_TR_NOOP("With class"), range(0, 1'000'000)},
        {"alerts.plateau_steps", QT_TR_NOOP("Plateau of"), range(0, 1'000'000'000, 1000), kOff,
         kSteps},
        {"alerts.stuck_seconds", QT_TR_NOOP("Stuck (s)"), {}, kOff},
        {"alerts.input_share", QT_TR_NOOP("Input share"), {}, kOff},
        {"alerts.disk_checkpoints", QT_TR_NOOP("Disk for"), range(0, 1'000'000), kOff,
         QT_TR_NOOP(" checkpoints")},
        {"alerts.tower_loss", QT_TR_NOOP("Tower's loss"), {}, kOff},
        {"alerts.tower_wait", QT_TR_NOOP("Tower's wait"), {}, kOff}};
};

QString translated(const char* text)
{
    return text[0] == '\0' ? QString() : RunText::tr(text);
}

struct ExperimentText
{
    Q_DECLARE_TR_FUNCTIONS(ExperimentText)
};

QString shardsText(const ShardSettings& shards)
{
    switch (shards.kind) {
    case ShardKind::Same:
        return ExperimentText::tr("Experiment: all towers get the same rows");
    case ShardKind::Skewed:
        return ExperimentText::tr("Experiment: tower %1 gets only examples of class %2")
            .arg(countText(shards.tower), countText(shards.exampleClass));
    case ShardKind::Poisoned:
        return ExperimentText::tr("Experiment: the labels of tower %1 are random")
            .arg(countText(shards.tower));
    case ShardKind::Distinct:
        break;
    }
    return {};
}

QString delayText(const RunConfig& config)
{
    const int tower = config.experiment.delayedTower(config.towers);
    return tower < 0 ? QString()
                     : ExperimentText::tr("Experiment: tower %1 sleeps %2 in every backward pass")
                           .arg(
                               countText(tower), numberText(
                                                     config.experiment.delayMilliseconds,
                                                     {1.0, 1, ExperimentText::tr(" ms")}));
}

QString withFinding(
    const QString& fault, const RunVerdicts* verdicts, const std::pair<AlertKind, int>& symptom)
{
    const Verdict* const found =
        verdicts == nullptr ? nullptr : verdicts->found(symptom.first, symptom.second);
    return fault.isEmpty() || found == nullptr
               ? fault
               : ExperimentText::tr("%1; found at step %2, by %3")
                     .arg(fault, countText(found->since), engineText(found->by));
}

} // namespace

QStringList namesOf(const std::vector<std::string>& names)
{
    QStringList all;
    std::ranges::transform(names, std::back_inserter(all), &QString::fromStdString);
    return all;
}

std::optional<RunFieldText> runFieldText(const std::string& key)
{
    const auto* const found = std::ranges::find(RunWords::kWords, key, &Words::key);
    if (found == std::end(RunWords::kWords)) {
        return std::nullopt;
    }
    return RunFieldText{
        translated(found->label), translated(found->least), translated(found->unit),
        translated(found->formula), found->range};
}

QString recordedText(const QString& recorder)
{
    return RunText::tr("Recorded by %1").arg(recorder);
}

QString experimentText(const RunConfig& config, const RunVerdicts* verdicts)
{
    try {
        config.experiment.validate(config.towers);
    } catch (const Error&) { // said where it is typed
        return {};
    }
    const ShardSettings shards = config.experiment.shardSettings(config.towers);
    const int late = config.experiment.delayedTower(config.towers);
    QStringList texts{
        withFinding(delayText(config), verdicts, {AlertKind::SlowTower, late}),
        withFinding(shardsText(shards), verdicts, symptomOf(shards))};
    texts.removeAll(QString());
    return texts.join(QStringLiteral(" · "));
}

QString sentenceOf(const std::string& text)
{
    // Figures as the locale writes them; not in what may be a path or a version.
    static const QRegularExpression decimals(
        QStringLiteral("(?<![\\w/.-])(\\d+)\\.(\\d+)(?![\\w/.-])"));
    QString words = engineText(text).replace(
        decimals, QStringLiteral("\\1%1\\2").arg(QLocale().decimalPoint()));
    return words.isEmpty() ? words
                           : words.replace(0, 1, words.left(1).toUpper()) + QLatin1Char('.');
}

QString sentenceOf(const Verdict& verdict, const std::vector<TowerPlacement>& seats)
{
    QString words = sentenceOf(verdict.text);
    const auto tower = static_cast<std::size_t>(verdict.tower);
    const QString rank =
        verdict.tower >= 0 && tower < seats.size() ? rankTitle(seats[tower].device) : QString();
    if (!rank.isEmpty()) {
        const QString name = QString::number(verdict.tower);
        words.insert(words.indexOf(name) + name.size(), QStringLiteral(" (%1)").arg(rank));
    }
    return words;
}

Judgement judgementOf(Light light)
{
    return light == Light::Good       ? Judgement::Good
           : light == Light::Doubtful ? Judgement::Doubtful
           : light == Light::Bad      ? Judgement::Bad
                                      : Judgement::None;
}

} // namespace lockstep::ui
