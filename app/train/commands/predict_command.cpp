// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/base.h"
#include "engine/evaluation.h"
#include "format/console_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kPredictDescription =
    "Asks the network of a checkpoint about image files and folders of them";

constexpr const char* kPredictExamples = R"(Examples:
  lockstep-train predict photos --checkpoint runs/a --csv predictions.csv
  lockstep-train predict photos more/part.png --checkpoint runs/a
  lockstep-train predict photos --checkpoint runs/a/checkpoints/step-000003000.safetensors --weights raw

Of a folder every JPEG, PNG and BMP in it and below; other files are counted. An image is brought to the
network's size as those of the training are (evaluate --image), and computed on the processor.
Without --csv a line for each image goes to standard output.
CSV: path,prediction,probability,prediction_2,probability_2,...,problem of networks that classify, with five
classes at most; path,score,peak,peak_row,peak_column,mask_height,mask_width,problem of those that detect.
The file appears complete or not at all. An image that can't be read is named with the reason, which is its
problem in the file, and the others go on; exit status 1 if that is all of them.)";

struct PredictOptions
{
    explicit PredictOptions(Command& command)
    {
        command.option("FILE|FOLDER", places, "", "Image files, and folders of them; one or more")
            .isRequired();
        command
            .option(
                "--checkpoint", checkpoint, "FILE|RUN",
                "Checkpoint, or a run folder: its newest good checkpoint")
            .isRequired();
        command.option("--csv", csv, "FILE", "Where the predictions go");
        command.option(
            "--data", request.dataPath, "DIR",
            "Folder of the data set, where it is needed; default: that of the training");
        command
            .option(
                "--set", request.settings, "dataset.KEY=VALUE",
                "How the data are read, where not as in the training; may be given several times")
            .mayRepeat();
        addWeights(
            command, request.weights,
            "Moving averages of the weights, or the weights themselves; default average");
        command
            .option(
                "--threads", threads, "N",
                "Images at a time, each by a copy of the weights; default: one a processor, 8 at "
                "most")
            .isWithin(1, 64);
    }

    std::vector<std::string> places;
    std::string checkpoint;
    PredictionRequest request;
    std::string csv;
    std::optional<int> threads;
};

int predict(const PredictOptions& options)
{
    catchInterrupts();
    Console console;
    const std::vector<std::filesystem::path> places(options.places.begin(), options.places.end());
    DataAccount account;
    const auto files = imageFilesOf(places, account);
    for (const std::string& line : account.lines()) {
        console.note(line);
    }
    PredictionRequest request = options.request;
    request.checkpoint = options.checkpoint;
    std::size_t failed = 0;
    const auto predictions = predictFiles(
        request, files, options.threads, [&](const std::string& text) { console.note(text); },
        [&](const FilePrediction& of, std::size_t done) {
            if (!of.problem.empty()) {
                ++failed;
                console.note(of.problem);
            }
            console.progress(progressBar(
                static_cast<double>(done) / static_cast<double>(files.size()),
                fmt::format("{} of {} images", done, files.size())));
            return !isInterrupted();
        });
    console.clearProgress();
    if (options.csv.empty()) {
        for (const FilePrediction& of : predictions) {
            if (of.problem.empty()) {
                console.result(triedImageLine(of));
            }
        }
    } else {
        writePredictions(predictions, options.csv);
    }
    if (failed > 0) {
        console.note(fmt::format("{} of {} images could not be predicted", failed, files.size()));
    }
    return failed == files.size() ? 1 : 0;
}

} // namespace

void addPredictCommand(CommandLine& program)
{
    program.add("predict", kPredictDescription, kPredictExamples, predict);
}

} // namespace lockstep::train
