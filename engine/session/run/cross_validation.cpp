// SPDX-License-Identifier: Apache-2.0
#include "session/run/cross_validation.h"

#include "base/clock.h"
#include "base/error.h"
#include "dataset/examples/data_identity.h"
#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"
#include "session/evaluation/open_checkpoint.h"
#include "session/run/run_start.h"
#include "session/step/image_scoring.h"
#include "storage/store/run_store_reader.h"

#include <fmt/core.h>

#include <set>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

RunConfig checked(RunConfig config)
{
    config.validate();
    if (!describeDataset(config.dataset).hasFolds) {
        fail(
            ErrorCode::BadInput,
            "dataset.name is '{}', which has no folds; choose one that does: kolektorsdd or "
            "masked_folder",
            config.dataset);
    }
    if (!canScoreImages(makeNetwork(config.model))) {
        fail(
            ErrorCode::BadInput,
            "model.name is '{}', which gives images no score: it needs the outputs {} and {}",
            config.model.name, kDecisionOutput, kMaskOutput);
    }
    config.evaluateAtEnd = true;
    config.makePathsAbsolute(); // as the runs write them down
    return config;
}

/// What the folds of one cross-validation have in common, as text.
std::string commonText(RunConfig config)
{
    config.masked.fold = 0;
    std::string text;
    for (const ConfigKey& key : configKeys(config)) {
        for (const char* room :
             {"model.", "dataset.", "initial_weights.", "steps", "phase", "seed",
              "learning_rate."}) {
            if (key.name.starts_with(room) && key.name != "dataset.path") {
                text += key.name + " = " + key.value + "\n";
            }
        }
    }
    return text;
}

} // namespace

CrossValidation::CrossValidation(const CrossValidationRequest& request) : m_request(request)
{
    m_request.config = checked(request.config);
    if (m_request.folder.empty()) {
        fail(ErrorCode::BadInput, "a cross-validation needs a folder for its runs");
    }
}

fs::path CrossValidation::folderOf(int fold) const
{
    return m_request.folder / fmt::format("fold-{}", fold);
}

/// With steps and phases as they will be trained, so that folders can be compared with it.
RunConfig CrossValidation::configOf(int fold) const
{
    RunConfig config = m_request.config;
    config.masked.fold = fold;
    config.takeUsualPhases();
    return config;
}

/// All folds begin with the same: what those that were begun before have found in a run or folder,
/// or what is found there now.
void CrossValidation::findInitialWeights(RunObserver& observer)
{
    InitialWeightsConfig& initial = m_request.config.initialWeights;
    if (!initial.isGiven()) {
        return;
    }
    for (int fold = 0; fold < m_request.config.masked.folds; ++fold) {
        if (RunFolder::isRun(folderOf(fold))) {
            const std::string before = configOfRun(folderOf(fold)).initialWeights.checkpoint;
            if (before == initial.checkpoint || isFoundIn(before, initial.checkpoint)) {
                initial.checkpoint = before;
                return;
            }
        }
    }
    const auto onSkipped = [&](const std::string& text) {
        observer.onEvent(Note{NoteLevel::Warning, text});
    };
    initial.checkpoint = initialWeightsFile(initial, onSkipped).string();
}

bool CrossValidation::isFinished(int fold) const
{
    const RunStoreReader store(RunFolder::storeFileOf(folderOf(fold)));
    const auto values = store.values();
    const auto state = values.find(kRunStateFact);
    return state != values.end() && state->second == toString(RunState::Finished)
           && !store.imageScores(store.nextStep(), m_request.weights).empty();
}

/// Folds of several data make no whole: an image would be scored twice, or never.
void CrossValidation::checkData(int fold) const
{
    const fs::path folder = folderOf(fold);
    if (listCheckpoints(RunFolder::checkpointsOf(folder)).empty()) {
        return;
    }
    const auto notes = openCheckpoint(folder).checkpoint.notes;
    const auto isOf = [&](Split split, auto said) {
        const auto data = openDataset(datasetOf(configOf(fold)), split);
        return said(notes, identityOf(*data)).value_or(true);
    };
    if (!isOf(Split::Train, wasTrainedOn) || !isOf(Split::Test, wasTestedOn)) {
        fail(
            ErrorCode::BadInput,
            "{}: the data have changed since this fold was trained, and with them which images "
            "each fold has; choose another folder for the folds of the data as they are now",
            folder.string());
    }
}

void CrossValidation::train(int fold, RunObserver& observer, const OnFold& onFold)
{
    const fs::path folder = folderOf(fold);
    RunRequest request{configOf(fold), folder};
    request.isResume = RunFolder::isRun(folder);
    if (request.isResume) {
        const RunConfig before = configOfRun(folder);
        if (commonText(before) != commonText(request.config) || before.masked.fold != fold) {
            fail(
                ErrorCode::BadInput,
                "{}: this fold was trained under another configuration; choose another folder",
                folder.string());
        }
        checkData(fold);
        if (isFinished(fold)) {
            return;
        }
    }
    TrainingRun run(request, observer);
    {
        const std::scoped_lock lock(m_mutex);
        m_run = &run;
        if (m_isStopped) {
            run.send(command::Stop{});
        }
    }
    if (onFold) {
        onFold(fold, run);
    }
    const auto forget = [this] {
        const std::scoped_lock lock(m_mutex);
        m_run = nullptr;
    };
    try {
        run.train();
    } catch (...) {
        forget();
        throw;
    }
    forget();
    if (run.state() != RunState::Finished) {
        fail(
            ErrorCode::Cancelled,
            "stopped in fold {} at step {}; the same command continues from there", fold,
            run.session().progress().step);
    }
}

void CrossValidation::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_isStopped = true;
    if (m_run != nullptr) {
        m_run->send(command::Stop{});
    }
}

FoldResult CrossValidation::resultOf(int fold) const
{
    const RunStoreReader store(RunFolder::storeFileOf(folderOf(fold)));
    FoldResult result{fold, folderOf(fold), store.nextStep(), 0.0, {}};
    store.forEachStep(
        [&](const StepRecord& record) { result.trainingSeconds = record.wallSeconds; },
        std::max<std::int64_t>(0, result.steps - 1));
    result.images = store.imageScores(result.steps, m_request.weights);
    return result;
}

CrossValidationResult CrossValidation::run(RunObserver& observer, const OnFold& onFold)
{
    const Stopwatch watch;
    findInitialWeights(observer);
    // Data that are split by folders of their own have no folds, and of too few defective or clean
    // images some folds get none: said before the first one is trained.
    if (!openDataset(datasetOf(configOf(0)), Split::Test)->info().isDrawn) {
        fail(
            ErrorCode::BadInput,
            "{}: the data have folders of their own to train and to test on, and so no folds: "
            "train "
            "one run, or put all images into one place",
            m_request.config.datasetPath);
    }
    for (const int fold : std::set{1, m_request.config.masked.folds - 1}) {
        static_cast<void>(
            openDataset(datasetOf(configOf(fold)), Split::Test, [&](double /*share*/) {
                return observer.mayBegin();
            }));
    }
    CrossValidationResult result;
    for (int fold = 0; fold < m_request.config.masked.folds; ++fold) {
        train(fold, observer, onFold);
        result.folds.push_back(resultOf(fold));
        const auto& images = result.folds.back().images;
        result.images.insert(result.images.end(), images.begin(), images.end());
    }
    result.scores = detectionScores(result.images);
    BootstrapSettings bootstrap;
    bootstrap.seed = m_request.config.seed;
    result.interval = averagePrecisionInterval(scoredExamples(result.images), bootstrap);
    result.inputShape = makeNetwork(m_request.config.model).inputShape();
    result.dilation = m_request.config.masked.dilation;
    result.seconds = watch.seconds();
    return result;
}

} // namespace lockstep
