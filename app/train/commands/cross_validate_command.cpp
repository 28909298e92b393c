// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/records.h"
#include "engine/run.h"
#include "format/console_format.h"
#include "format/json_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace lockstep::train {
namespace {

constexpr const char* kCrossValidateDescription =
    "Trains and tests every fold of a data set, and scores all folds together";

constexpr const char* kCrossValidateExamples = R"(Examples:
  lockstep-train cross-validate --config segdecnet.toml --folds 3 --run runs/three-folds
  lockstep-train cross-validate --model segdecnet --dataset kolektorsdd --data DIR --towers 2 \
      --batch-per-tower 1 --steps 1200 --set model.input_height=704 --set model.input_width=256 --run DIR

Fold K is a run of its own in DIR/fold-K: trained on the other folds, then every image of the fold is scored
once, so each image by a network that never saw its item. The scores of all folds are pooled: average
precision with its 90 % bootstrap interval, false positives and negatives at the best F1, and in how many of
the true positives the predicted mask peaks inside the (dilated) label.
The same command goes on where it was stopped; a finished fold is not trained again.)";

struct CrossValidateOptions
{
    explicit CrossValidateOptions(Command& command)
        : config(
            command, {"model.name", "dataset.name", "dataset.path", "towers", "device",
                      "batch_per_tower", "global_batch", "steps", "seed", "precision"})
    {
        config.addFileAndSet(command);
        command.option("--folds", folds, "K", "Instead of the configuration's; default 3");
        command.option("--run", folder, "DIR", "Folder of the folds' runs").isRequired();
        addWeights(
            command, weights,
            "Moving averages of the weights, or the weights themselves; default average");
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    ConfigOptions config;
    std::optional<int> folds;
    std::string folder;
    WeightsKind weights = WeightsKind::Average;
    bool isJson = false;
};

/// What is told while a fold trains: notes and a progress line, as the result is for all folds.
class FoldReporter final : public RunObserver
{
public:
    explicit FoldReporter(Console& console) : m_console(console) {}

    void begin(int fold, const TrainingRun& run)
    {
        m_fold = fold;
        m_config = run.config();
        m_throughput = Throughput();
        m_console.note(fmt::format(
            "fold {}: {} steps, from step {}, in {}", fold, m_config.steps,
            run.session().progress().step, run.folder().string()));
    }
    void onEvent(const TrainingEvent& event) override
    {
        std::visit([this](const auto& told) { on(told); }, event);
    }
    bool mayBegin() override { return !isInterrupted(); }

private:
    void on(const StepRecord& record)
    {
        if (m_console.hasProgress()) {
            m_throughput.add(record);
            m_console.progress(fmt::format(
                "fold {}, {}", m_fold,
                progressLine(record, m_config, m_throughput, m_evaluationSeconds)));
        }
    }
    void on(const EvaluationRecord& record)
    {
        m_evaluationSeconds = record.seconds;
        m_console.note(fmt::format("fold {}: {}", m_fold, evaluationLine(record)));
    }
    void on(const Note& note)
    {
        if (note.level != NoteLevel::Info) {
            m_console.note(note.text);
        }
    }
    void on(const auto& /*others*/) {}

    Console& m_console;
    Throughput m_throughput;
    RunConfig m_config;
    double m_evaluationSeconds = 0.0; ///< of the latest, with one kind of weights
    int m_fold = 0;
};

Json toJson(const FoldResult& fold)
{
    Json images = Json::array();
    for (const ImageScore& image : fold.images) {
        images.push_back(train::toJson(image));
    }
    return {
        {"fold", fold.fold},
        {"run", fold.folder.string()},
        {"steps", fold.steps},
        {"training_seconds", fold.trainingSeconds},
        {"images", images}};
}

Json toJson(const CrossValidationResult& result, const CrossValidationRequest& request)
{
    Json folds = Json::array();
    for (const FoldResult& fold : result.folds) {
        folds.push_back(toJson(fold));
    }
    Json json = train::toJson(result.scores);
    json["average_precision_interval"] = {result.interval.low, result.interval.high};
    json["average_precision_interval_level"] = BootstrapSettings().level;
    json["weights"] = toString(request.weights);
    json["images"] = result.images.size();
    json["input_height"] = result.inputShape.height;
    json["input_width"] = result.inputShape.width;
    json["dilation"] = result.dilation;
    json["seconds"] = result.seconds;
    json["folds"] = folds;
    return json;
}

void print(
    Console& console, const CrossValidationResult& result, const CrossValidationRequest& request)
{
    for (const FoldResult& fold : result.folds) {
        console.result(fmt::format(
            "fold {}: {} images, {} steps, {} of training, {}", fold.fold, fold.images.size(),
            fold.steps, durationText(fold.trainingSeconds), fold.folder.string()));
    }
    const auto positives =
        result.scores.fullRecall.truePositives + result.scores.fullRecall.falseNegatives;
    console.result(fmt::format(
        "all folds: {} images, {} of them defective, {} weights; input {} × {}, dilation {}, {} "
        "here",
        result.images.size(), positives, toString(request.weights), result.inputShape.height,
        result.inputShape.width, result.dilation, durationText(result.seconds)));
    console.result(detectionText(result.scores));
    console.result(fmt::format(
        "90 % bootstrap interval of AP: {:.4f} to {:.4f}", result.interval.low,
        result.interval.high));
    console.note(kAveragePrecisionDefinition);
}

int crossValidate(const CrossValidateOptions& options)
{
    catchInterrupts();
    CrossValidationRequest request;
    options.config.apply(request.config);
    request.config.masked.folds = options.folds.value_or(request.config.masked.folds);
    request.folder = options.folder;
    request.weights = options.weights;
    Console console;
    FoldReporter reporter(console);
    CrossValidation validation(request);
    std::optional<CrossValidationResult> result;
    {
        const InterruptWatch watch([&] { validation.stop(); });
        result = validation.run(
            reporter, [&](int fold, const TrainingRun& run) { reporter.begin(fold, run); });
    }
    console.clearProgress();
    if (options.isJson) {
        console.result(lineOf(toJson(*result, request)));
    } else {
        print(console, *result, request);
    }
    return 0;
}

} // namespace

void addCrossValidateCommand(CommandLine& program)
{
    program.add("cross-validate", kCrossValidateDescription, kCrossValidateExamples, crossValidate);
}

} // namespace lockstep::train
