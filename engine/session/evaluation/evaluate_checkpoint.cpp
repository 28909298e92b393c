// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/evaluate_checkpoint.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/encoded_dataset.h"
#include "device/registry/device_registry.h"
#include "network/objective_names.h"
#include "session/config/run_data.h"
#include "session/evaluation/image_classes.h"
#include "session/evaluation/open_checkpoint.h"
#include "session/training/training_session.h"
#include "session/training/training_state.h"
#include "storage/rows/run_branch.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

constexpr int kMaxTowers = RunBranch::kMostTowers;

int workersFor(const CheckpointEvaluationRequest& request)
{
    const int workers = request.towers.value_or(ThreadTeam::processors());
    if (workers < 1 || workers > kMaxTowers) {
        fail(
            ErrorCode::BadInput, "towers is {}, but must be between 1 and {}", workers, kMaxTowers);
    }
    return workers;
}

void checkClassifies(
    const CheckpointEvaluationRequest& request, const NetworkSpec& network,
    const std::filesystem::path& checkpoint)
{
    if (request.mustClassify && !classifiesImages(network)) {
        fail(
            ErrorCode::BadInput,
            "{}: its model, {}, does not classify: leave out --confusion and the file of --images",
            checkpoint.string(), network.name);
    }
}

std::vector<std::string> namesOf(const Dataset& dataset)
{
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        names.push_back(dataset.exampleName(i));
    }
    return names;
}

/// A score is of the images that are whole: a training may go by another rule, and nobody can mend
/// the files of others. Which they are not is said.
void tellDamage(const Dataset& dataset, const std::function<void(const std::string&)>& onNote)
{
    if (dataset.encoded() == nullptr || !onNote) {
        return;
    }
    std::vector<std::string> damaged = dataset.encoded()->leftOut();
    std::ranges::move(dataset.encoded()->damage().takeNew(), std::back_inserter(damaged));
    for (std::size_t i = 0; i < std::min<std::size_t>(damaged.size(), 3); ++i) {
        onNote(damaged[i]);
    }
    if (!damaged.empty()) {
        onNote(
            fmt::format("damaged test images that are left out of the score: {}", damaged.size()));
    }
}

} // namespace

CheckpointEvaluation evaluateCheckpoint(
    const CheckpointEvaluationRequest& request,
    const std::function<void(const std::string&)>& onNote, const EvaluationProgress& progress)
{
    const int workers = workersFor(request);
    const DeviceChoice choice = openDevices(request.device, 1);
    const LoadedCheckpoint loaded = openCheckpoint(request.checkpoint, onNote);
    RunConfig config = configurationOf(loaded, request.weights, request.dataPath);
    readDataAs(config, request.settings);
    if (std::ranges::find(kTestedPartNames, request.split) != kTestedPartNames.end()) {
        config.split.testOn = request.split;
    }
    const auto brought = request.bringDataset ? request.bringDataset() : nullptr;
    config.dataset = brought ? brought->info().name : config.dataset;
    const NetworkSpec network = makeNetwork(config.model);
    checkClassifies(request, network, loaded.file.path);
    const ParameterArena arena(choice.first(), network);
    restoreParameters(network, loaded.checkpoint, arena);
    std::vector<std::string> dataNotes;
    const auto dataset = openEvaluationData(
        {config, request.split, isPlaceOfTraining(loaded, config), brought},
        loaded.checkpoint.notes, [&](const std::string& text) {
            dataNotes.push_back(text);
            if (onNote) {
                onNote(text);
            }
        });
    checkDataset(config, network, *dataset);

    const Evaluation evaluation(
        choice.first(), network, arena.layout(), *dataset, distortionFor(config, network));
    ThreadTeam threads("evaluate", std::min(workers, ThreadTeam::processors()), true);
    if (onNote && !choice.note.empty()) {
        onNote(choice.note);
    }
    const bool isRaw = request.weights == WeightsKind::Raw;
    const WeightsView weights = isRaw ? arena.weightsView() : arena.movingAverageView();
    EvaluationRecord record = evaluation.run(threads, workers, weights, progress);
    tellDamage(*dataset, onNote);
    record.step = loaded.checkpoint.step;
    record.weights = request.weights;
    std::vector<ExampleLogits> logits;
    if (request.logitsOf > 0) {
        logits = exampleLogits(
            {choice.first(), network, arena.layout(), weights, *dataset,
             distortionFor(config, network), request.logitsOf},
            threads);
    }
    return {
        std::move(record),
        loaded.file.path,
        network.name,
        dataset->info().name,
        choice.first().info().name,
        workers,
        objectiveNames(network),
        std::move(logits),
        classifiesImages(network) ? classesOf(network) : 0,
        filledClassNames(classNamesFrom(loaded.checkpoint.notes), dataset->info().classNames),
        namesOf(*dataset),
        std::move(dataNotes)};
}

} // namespace lockstep
