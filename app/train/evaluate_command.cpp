// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "console_format.h"
#include "interrupt.h"
#include "json_format.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Scores a checkpoint on the test examples of its data set";

constexpr const char* kExamples = R"(Examples:
  lockstep-train evaluate --checkpoint runs/a
  lockstep-train evaluate --checkpoint runs/a/checkpoints/step-000003000.safetensors --weights raw
  lockstep-train evaluate --checkpoint runs/a --towers 1 --json
  lockstep-train evaluate --checkpoint runs/a --logits logits.csv --examples 8

Every test example counts once: central crop, standardised. Any number of towers gives the same bits.
--logits: example,label,logit_0,logit_1,... of the first examples, to hold other programs against.
--json: {accuracy, loss, examples, correct, step, weights, ...}.
Networks that detect (segdecnet) also give average precision, false positives and negatives at the best F1,
false positives at full recall, and a score for every image (--json, --images); the scores of a finished
training are in its run store, table image_score.)";

struct Options
{
    explicit Options(CLI::App& command)
    {
        command
            .add_option(
                "--checkpoint", checkpoint,
                "Checkpoint, or a run folder: its newest good checkpoint")
            ->type_name("FILE|RUN")
            ->required();
        command
            .add_option(
                "--data", request.dataPath, "Folder of the data set; default: that of the training")
            ->type_name("DIR");
        command
            .add_option(
                "--weights", weights,
                "Moving averages of the weights, or the weights themselves; default average")
            ->check(CLI::IsMember({"average", "raw"}).description(""))
            ->type_name("average|raw");
        command
            .add_option("--towers", towers, "Threads that share the work; default: one a processor")
            ->type_name("N");
        command.add_option("--device", request.device, "As for train; default auto")
            ->type_name("auto|cpu|cuda|cuda:I");
        CLI::Option* file = command.add_option("--logits", logits, "Where logits go, as CSV");
        file->type_name("FILE");
        command
            .add_option("--examples", examples, "Test examples whose logits go there; default 8")
            ->check(CLI::PositiveNumber.description(""))
            ->needs(file)
            ->type_name("N");
        command.add_flag(
            "--images", showsImages,
            "Networks that detect: a line for every image too, the most wrong ones first");
        command.add_flag("--json", isJson, "One JSON object instead of text");
    }

    CheckpointEvaluationRequest request;
    std::string checkpoint;
    std::string weights = "average";
    std::optional<int> towers;
    std::string logits;
    std::int64_t examples = 8;
    bool showsImages = false;
    bool isJson = false;
};

Json toJson(const CheckpointEvaluation& evaluation)
{
    Json json = train::toJson(evaluation.record, evaluation.objectives);
    json["checkpoint"] = evaluation.checkpoint.string();
    json["model"] = evaluation.model;
    json["dataset"] = evaluation.dataset;
    json["device"] = evaluation.device;
    json["towers"] = evaluation.towers;
    for (const ImageScore& image : evaluation.record.images) {
        json["images"].push_back(train::toJson(image));
    }
    return json;
}

/// The farther from what the label says, the sooner.
void printImages(Console& console, std::vector<ImageScore> images)
{
    const auto error = [](const ImageScore& image) {
        return image.isPositive ? 1.0 - image.score : image.score;
    };
    std::ranges::stable_sort(images, std::greater<>(), error);
    for (const ImageScore& image : images) {
        console.result(imageLine(image));
    }
}

int evaluate(const Options& options)
{
    catchInterrupts();
    Console console;
    CheckpointEvaluationRequest request = options.request;
    request.checkpoint = options.checkpoint;
    request.towers = options.towers;
    request.weights = options.weights == "raw" ? WeightsKind::Raw : WeightsKind::Average;
    request.logitsOf = options.logits.empty() ? 0 : options.examples;
    const CheckpointEvaluation evaluation = evaluateCheckpoint(
        request, [&](const std::string& text) { console.note(text); },
        [&](double share) {
            console.progress(progressBar(share, "evaluation"));
            return !isInterrupted();
        });
    if (!options.logits.empty()) {
        writeLogits(evaluation.logits, options.logits);
    }
    if (options.isJson) {
        console.result(lineOf(toJson(evaluation)));
    } else {
        console.note(evaluation.checkpoint.string());
        console.result(evaluationLine(evaluation.record));
        if (evaluation.record.detection) {
            console.note(kAveragePrecisionDefinition);
        }
        if (options.showsImages) {
            printImages(console, evaluation.record.images);
        }
    }
    return 0;
}

} // namespace

void addEvaluateCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("evaluate", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>(*command);
    command->callback([options, &action] { action = [options] { return evaluate(*options); }; });
}

} // namespace lockstep::train
