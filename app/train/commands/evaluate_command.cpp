// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/evaluation.h"
#include "engine/records.h"
#include "format/class_report.h"
#include "format/console_format.h"
#include "format/json_format.h"
#include "interrupt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kEvaluateDescription =
    "Scores a checkpoint on the test examples of its data set";

constexpr const char* kEvaluateExamples = R"(Examples:
  lockstep-train evaluate --checkpoint runs/a
  lockstep-train evaluate --checkpoint runs/a/checkpoints/step-000003000.safetensors --weights raw
  lockstep-train evaluate --checkpoint runs/a --towers 1 --json
  lockstep-train evaluate --checkpoint runs/a --data records --set dataset.name=tfrecord
  lockstep-train evaluate --checkpoint runs/a --logits logits.csv --examples 8
  lockstep-train evaluate --checkpoint runs/a --image part.png --image other.jpg
  lockstep-train evaluate --checkpoint runs/a --confusion confusion.csv --images images.csv

Labels go by the names of the classes: --data may have them in another order, or fewer of them, but none that the
network was not trained on. Every example counts once: central crop, standardised. Any number of towers gives the same bits.
--logits: example,label,logit_0,logit_1,... of the first examples, to compare other programs with.
--json: {accuracy, loss, examples, correct, step, weights, ...}.
Networks that detect (segdecnet) also give average precision, false positives and negatives at the best F1,
false positives at full recall, and a score for every image (--json, --images); the scores of a finished
training are in its run store, table image_score.
Networks that classify (cifar10) also give top-5 where there are more than five classes (equal logits at the border
count as inside, as with TensorFlow's in_top_k), recall and precision of the worst classes (--json: of all), the pairs
that are confused most, and the class that every image is taken for (--images; with a FILE as CSV).
--image scores images of your own (JPEG, PNG, BMP) instead of the test set, on the processor, and writes nothing.)";

struct EvaluateOptions
{
    explicit EvaluateOptions(Command& command)
    {
        command
            .option(
                "--checkpoint", checkpoint, "FILE|RUN",
                "Checkpoint, or a run folder: its newest good checkpoint")
            .isRequired();
        command.option(
            "--data", request.dataPath, "DIR",
            "Folder of the data set; default: that of the training");
        command.option(
            "--split", request.split, "all|train|validation|test",
            "The part that is scored; default: what the training was tested on, and of other data "
            "that set nothing apart all");
        command
            .option(
                "--set", request.settings, "dataset.KEY=VALUE",
                "How the data are read, where not as in the training; may be given several times")
            .mayRepeat();
        addWeights(
            command, request.weights,
            "Moving averages of the weights, or the weights themselves; default average");
        const Option workers = command.option(
            "--towers", towers, "N", "Threads that share the work; default: one a processor");
        const Option device = command.option(
            "--device", request.device, "auto|cpu|cuda|cuda:I", "As for train; default auto");
        const Option file = command.option("--logits", logits, "FILE", "Where logits go, as CSV");
        command
            .option("--examples", examples, "N", "Test examples whose logits go there; default 8")
            .isPositive()
            .needs(file);
        const Option matrix = command.option(
            "--confusion", confusion, "FILE",
            "Networks that classify: where the confusion matrix goes, as CSV");
        every = command
                    .option(
                        "--images", images, "[FILE]",
                        "Also a line for every image, the most wrong ones first; with a FILE, for "
                        "networks that classify, there as CSV")
                    .valueMayLack();
        command
            .option(
                "--image", imageFiles, "FILE",
                "An image file to score instead of the test set; may be given several times")
            .mayRepeat()
            .excludes(workers)
            .excludes(device)
            .excludes(file)
            .excludes(matrix)
            .excludes(*every);
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    CheckpointEvaluationRequest request;
    std::string checkpoint;
    std::optional<int> towers;
    std::string logits;
    std::int64_t examples = 8;
    std::string confusion;
    std::string images; ///< a file; empty: to the console
    std::optional<Option> every;
    std::vector<std::string> imageFiles;
    bool isJson = false;
};

Json toJson(const CheckpointEvaluation& evaluation, bool withImages)
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
    if (evaluation.classCount > 0) {
        addClasses(json, evaluation, withImages);
    }
    return json;
}

/// The farther from what the label says, the sooner.
void printImages(Console& console, std::vector<ImageScore> images)
{
    const auto error = [](const ImageScore& image) {
        const double distance = image.isPositive ? 1.0 - image.score : image.score;
        return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
    };
    std::ranges::stable_sort(images, std::greater<>(), error);
    for (const ImageScore& image : images) {
        console.result(imageLine(image));
    }
}

Json toJson(const PredictedImage& tried)
{
    if (!tried.classProbabilities.empty()) {
        Json json{{"name", tried.score.name}};
        for (const ClassProbability& of : likeliestClasses(tried, kTopFive)) {
            json["classes"].push_back(
                {{"label", of.number}, {"name", of.name}, {"probability", of.probability}});
        }
        return json;
    }
    return {
        {"name", tried.score.name},
        {"score", tried.score.score},
        {"peak", tried.score.peak},
        {"peak_row", tried.score.peakRow},
        {"peak_column", tried.score.peakColumn},
        {"mask_height", tried.maskShape.height},
        {"mask_width", tried.maskShape.width}};
}

/// Images of one's own, one after the other.
int tryImages(const EvaluateOptions& options)
{
    Console console;
    ImagePredictor trial(
        {options.checkpoint, options.request.dataPath, options.request.weights,
         options.request.settings},
        [&](const std::string& text) { console.note(text); });
    Json json = {
        {"checkpoint", trial.checkpoint().string()},
        {"step", trial.step()},
        {"weights", toString(options.request.weights)}};
    if (!options.isJson) {
        console.note(trial.checkpoint().string());
    }
    for (const std::string& file : options.imageFiles) {
        const PredictedImage tried = trial.imageFile(file);
        if (options.isJson) {
            json["images"].push_back(toJson(tried));
        } else {
            console.result(triedImageLine(filePrediction(file, tried)));
        }
    }
    if (options.isJson) {
        console.result(lineOf(json));
    }
    return 0;
}

void print(Console& console, const CheckpointEvaluation& evaluation, const EvaluateOptions& options)
{
    const bool showsImages = options.every->isGiven() && options.images.empty();
    if (options.isJson) {
        console.result(lineOf(toJson(evaluation, showsImages)));
        return;
    }
    console.note(evaluation.checkpoint.string());
    console.result(evaluationLine(evaluation.record));
    if (evaluation.record.detection) {
        console.note(kAveragePrecisionDefinition);
    }
    if (evaluation.classCount > 0) {
        printClasses(console, evaluation);
    }
    if (showsImages) {
        printImages(console, evaluation.record.images);
        printClassifiedImages(console, evaluation);
    }
}

void writeFiles(const CheckpointEvaluation& evaluation, const EvaluateOptions& options)
{
    if (!options.confusion.empty()) {
        writeConfusion(evaluation, options.confusion);
    }
    if (!options.images.empty()) {
        writeClassifiedImages(evaluation, options.images);
    }
    if (!options.logits.empty()) {
        writeLogits(evaluation.logits, options.logits);
    }
}

int evaluate(const EvaluateOptions& options)
{
    catchInterrupts();
    if (!options.imageFiles.empty()) {
        return tryImages(options);
    }
    Console console;
    CheckpointEvaluationRequest request = options.request;
    request.checkpoint = options.checkpoint;
    request.towers = options.towers;
    request.logitsOf = options.logits.empty() ? 0 : options.examples;
    request.mustClassify = !options.confusion.empty() || !options.images.empty();
    const CheckpointEvaluation evaluation = evaluateCheckpoint(
        request, [&](const std::string& text) { console.note(text); },
        [&](double share) {
            console.progress(progressBar(share, "evaluation"));
            return !isInterrupted();
        });
    print(console, evaluation, options); // first: a file may be one that can't be written
    writeFiles(evaluation, options);
    return 0;
}

} // namespace

void addEvaluateCommand(CommandLine& program)
{
    program.add("evaluate", kEvaluateDescription, kEvaluateExamples, evaluate);
}

} // namespace lockstep::train
