// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_start.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "session/config/run_data.h"
#include "storage/store/run_store_reader.h"

#include <fmt/core.h>

#include <random>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

std::string newIdentity()
{
    std::random_device source;
    return fmt::format("{:08x}{:08x}", source(), source());
}

std::string identityOf(const RunStoreReader& store)
{
    const auto values = store.values();
    const auto found = values.find(kRunIdentityFact);
    return found == values.end() ? std::string() : found->second;
}

void checkConfiguration(const LoadedCheckpoint& state, const RunConfig& wanted)
{
    RunConfig config;
    parseConfig(config, state.checkpoint.configuration, state.file.path.string());
    if (const std::string reason = reasonAgainst(config, wanted); !reason.empty()) {
        fail(ErrorCode::BadInput, "{}: {}", state.file.path.string(), reason);
    }
}

void checkModel(const LoadedCheckpoint& state, const TrainingSession& session)
{
    const Checkpoint& checkpoint = state.checkpoint;
    const std::string file = state.file.path.string();
    if (checkpoint.model != session.plan().network.name) {
        fail(
            ErrorCode::BadInput, "{}: the checkpoint is of model '{}', not of '{}'", file,
            checkpoint.model, session.plan().network.name);
    }
    const auto checksum = checkpoint.notes.find(kModelChecksumNote);
    if (checksum != checkpoint.notes.end() && checksum->second != session.plan().modelChecksum) {
        fail(
            ErrorCode::BadInput,
            "{}: the file of model '{}' was changed since (its SHA-256 was {}): put it back, or "
            "train a new run with the weights of this checkpoint (fine-tuning)",
            file, checkpoint.model, checksum->second);
    }
}

void checkClasses(const LoadedCheckpoint& state, const TrainingPlan& plan)
{
    const DataIdentity& now = plan.data;
    const DataIdentity before = identityFrom(state.checkpoint.notes, now);
    if (before.classNames != now.classNames) {
        const auto names = classNamesFrom(state.checkpoint.notes);
        fail(
            ErrorCode::BadInput,
            "{}: the {} classes of the data do not have the names and order of the {} that this "
            "checkpoint was trained on, so that its outputs would mean others: put them back "
            "(dataset.path), or train a new run with its weights (fine-tuning); now {}, then {}",
            state.file.path.string(), now.classes, before.classes,
            someOf(plan.training.info().classNames),
            names.empty() ? "others, which it does not name" : someOf(names));
    }
}

/// Data may grow, or lose what is damaged; nobody should have to find out by the figures.
std::string dataChange(const LoadedCheckpoint& state, const DataIdentity& now)
{
    const DataIdentity before = identityFrom(state.checkpoint.notes, now);
    if (before.list == now.list) {
        return "";
    }
    const std::string what =
        before.examples != now.examples
            ? fmt::format("{} examples now, {} then", now.examples, before.examples)
            : fmt::format("{} examples as then, but other names or labels", now.examples);
    return fmt::format(
        "the training data have changed since {} ({}): the run goes on with another order of "
        "examples, and can't be repeated from its start; where a share of the images is drawn for "
        "the test, some that it trained on may be among them now",
        state.file.path.filename().string(), what);
}

/// Likewise of the images that it is tested on, by which the best checkpoint is chosen.
std::string testChange(const LoadedCheckpoint& state, const Dataset& tests)
{
    return wasTestedOn(state.checkpoint.notes, identityOf(tests)).value_or(true)
               ? ""
               : fmt::format(
                   "the test images have changed since {}: accuracies from here on can't be "
                   "compared with those before, and the best checkpoint may be one of those",
                   state.file.path.filename().string());
}

void checkSteps(const LoadedCheckpoint& state, const RunConfig& config)
{
    if (config.steps < state.checkpoint.step) {
        fail(
            ErrorCode::BadInput, "steps is {}, but {} has made {} already; choose more",
            config.steps, state.file.path.string(), state.checkpoint.step);
    }
}

/// What the store of the run that goes on says. A store that was taken away, say because it was
/// damaged, is begun anew.
void readStore(RunStart& start)
{
    const fs::path file = start.folder->storeFile();
    std::error_code ignored;
    if (!fs::exists(file, ignored) || fs::is_empty(file, ignored)) {
        return;
    }
    const RunStoreReader store(file);
    start.run = identityOf(store);
    for (const RunBranchInfo& branch : store.branches()) {
        if (start.state && branch.id == start.state->checkpoint.branch) {
            start.parent = branch.id;
        }
    }
}

void checkRun(const RunStart& start)
{
    const Checkpoint& checkpoint = start.state->checkpoint;
    if (!start.run.empty() && checkpoint.run != start.run) {
        fail(
            ErrorCode::BadInput,
            "{}: the checkpoint is of another run than {}; start a new run from it, in another "
            "folder",
            start.state->file.path.string(), start.folder->path().string());
    }
}

void findState(const RunRequest& request, RunStart& start)
{
    if (request.checkpoint) {
        start.state.emplace();
        start.state->file.path = *request.checkpoint;
        start.state->checkpoint = readCheckpoint(*request.checkpoint);
    } else if (start.folder) {
        start.state =
            newestGoodCheckpoint(start.folder->checkpoints(), [&](const std::string& text) {
                start.skipped.push_back(text);
            });
        if (!start.state && !start.skipped.empty()) { // not from step 0: hours may be in there
            fail(
                ErrorCode::Data,
                "{}: none of its {} checkpoints can be read; see to the disk, or begin anew in "
                "another folder; {}",
                start.folder->path().string(), start.skipped.size(), start.skipped.front());
        }
    }
}

void findInitialWeights(const RunConfig& config, const TrainingSession& session, RunStart& start)
{
    start.initial = planInitialWeights(
        session.plan().network, config.initialWeights, initialWeightsFile(config.initialWeights));
    start.initialTensors = readInitialTensors(*start.initial);
}

} // namespace

RunStart findRunStart(
    const RunRequest& request, const RunConfig& config, const TrainingSession& session,
    const Dataset& tests)
{
    RunStart start;
    if (request.isResume) {
        start.folder = RunFolder::resume(request.folder);
    }
    findState(request, start);
    if (start.state) {
        checkModel(*start.state, session);
        checkConfiguration(*start.state, config);
        checkSteps(*start.state, config);
        checkClasses(*start.state, session.plan());
        start.dataChange = dataChange(*start.state, session.plan().data);
        start.testChange = testChange(*start.state, tests);
    } else if (config.initialWeights.isGiven()) {
        findInitialWeights(config, session, start);
    }
    if (start.folder) {
        readStore(start);
    }
    if (start.isContinued()) {
        checkRun(start);
        std::error_code ignored;
        start.isSaved = fs::equivalent(
            start.state->file.path.parent_path(), start.folder->checkpoints(), ignored);
        start.run = start.state->checkpoint.run;
    }
    if (start.run.empty()) {
        start.run = newIdentity();
    }
    return start;
}

std::string reasonAgainst(const RunConfig& checkpointConfig, const RunConfig& wanted)
{
    const auto differs = [](const char* key, const auto& before, const auto& now,
                            const char* because) {
        return fmt::format(
            "{} can't be changed from '{}' to '{}': {}; train a new run, with the weights of this "
            "checkpoint if you like (fine-tuning)",
            key, before, now, because);
    };
    // The path of a file says nothing; its content is compared when the run begins.
    const std::string& model = checkpointConfig.model.name;
    const bool areFiles = isModelFile(model) && isModelFile(wanted.model.name);
    if (!areFiles && model != wanted.model.name) {
        return differs(
            "model.name", model, wanted.model.name, "its weights are of another network");
    }
    ModelSettings settings = checkpointConfig.model;
    settings.name = wanted.model.name;
    if (settings != wanted.model || checkpointConfig.moments != wanted.moments
        || checkpointConfig.momentRamp != wanted.momentRamp) {
        return "the [model] table can't be changed: the run would go on as another network; train "
               "a new run, with the weights of this checkpoint if you like (fine-tuning)";
    }
    if (checkpointConfig.optimizer.name != wanted.optimizer.name) {
        return differs(
            "optimizer.name", checkpointConfig.optimizer.name, wanted.optimizer.name,
            "its state means nothing to another optimizer");
    }
    if (checkpointConfig.dataset != wanted.dataset) {
        return differs(
            "dataset.name", checkpointConfig.dataset, wanted.dataset,
            "the run would go on in the middle of another stream of examples");
    }
    // Paths say nothing: data may be moved.
    const MaskedDataConfig& data = checkpointConfig.masked;
    const MaskedDataConfig& now = wanted.masked;
    if (data.folds != now.folds || data.fold != now.fold) {
        return differs(
            "dataset.fold", fmt::format("{} of {}", data.fold, data.folds),
            fmt::format("{} of {}", now.fold, now.folds),
            "the run would be tested on images that it has trained on");
    }
    if (checkpointConfig.split.testShare != wanted.split.testShare) {
        return differs(
            "dataset.test_share", checkpointConfig.split.testShare, wanted.split.testShare,
            "the run would be tested on images that it has trained on");
    }
    if (trainingOrderOf(checkpointConfig) != trainingOrderOf(wanted)) {
        return differs(
            "dataset.sampling", data.sampling, now.sampling,
            "the run would go on in the middle of another stream of examples");
    }
    const EncodedDataConfig& images = checkpointConfig.encoded;
    if (images.pattern != wanted.encoded.pattern) {
        return differs(
            "dataset.pattern", images.pattern, wanted.encoded.pattern,
            "the run would go on in the middle of another stream of examples");
    }
    if (images.labelOffset != wanted.encoded.labelOffset) {
        return differs(
            "dataset.label_offset", images.labelOffset, wanted.encoded.labelOffset,
            "the run would go on with other labels");
    }
    if (checkpointConfig.initialWeights != wanted.initialWeights) {
        return "the [initial_weights] table can't be changed: the run has begun with what it says; "
               "train a new run with other weights (fine-tuning)";
    }
    if (checkpointConfig.seed != wanted.seed) {
        return differs(
            "seed", checkpointConfig.seed, wanted.seed,
            "the order of the examples and every random number come from it");
    }
    return "";
}

} // namespace lockstep
