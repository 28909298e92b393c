// SPDX-License-Identifier: Apache-2.0
// How a TrainingRun comes to be: what it begins with, and where it is written.
#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/data_check.h"
#include "dataset/formats/catalog.h"
#include "device/registry/device_registry.h"
#include "metrics/verdicts/step_alerts.h"
#include "network/objective_names.h"
#include "ranks/ranks.h"
#include "session/config/best_checkpoint.h"
#include "session/config/run_data.h"
#include "session/control/control_server.h"
#include "session/evaluation/image_classes.h"
#include "session/events/event_recorder.h"
#include "session/run/rank_worker.h"
#include "session/run/run_facts.h"
#include "session/run/run_files.h"
#include "session/run/run_start.h"
#include "session/run/training_run.h"
#include "session/run/watchdog.h"
#include "session/step/image_scoring.h"
#include "session/training/describe_training.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

/// Threads, batch, model and folder of the data as they will be used, so that a resume finds the
/// same, from whichever folder it is started.
RunConfig resolved(RunConfig config)
{
    config.validate();
    const std::filesystem::path folder = datasetFolder(config.dataset, config.datasetPath);
    config.datasetPath = folder.empty() ? "" : std::filesystem::absolute(folder).string();
    config.makePathsAbsolute();
    const TowerShape shape = config.towerShape();
    if (!config.threadsPerTower.isMeasured) {
        config.threadsPerTower = {shape.threadsPerTower};
    }
    config.batchPerTower = shape.batchPerTower;
    config.globalBatch.reset();
    config.takeUsualPhases();
    return config;
}

/// A new run must not be there yet; said before minutes go into reading data.
void checkNew(const RunRequest& request)
{
    if (!request.isResume && !request.folder.empty() && RunFolder::isRun(request.folder)) {
        fail(
            ErrorCode::BadInput,
            "{}: a run is there already; go on with it (--resume) or choose another folder",
            request.folder.string());
    }
}

/// Said before anything is made of a configuration that is not one of ours.
void checkOwn(const RunRequest& request)
{
    const std::string recorder = request.isResume ? recorderOf(request.folder) : std::string();
    if (!recorder.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: this run was recorded ({}); only the program that trained it can go on with it",
            request.folder.string(), recorder);
    }
}

/// A run that goes on keeps the threads that were measured when it began.
void keepThreads(const RunRequest& request, RunConfig& config)
{
    if (request.isResume && config.threadsPerTower.isMeasured) {
        const RunConfig before = configOfRun(request.folder);
        if (before.towers == config.towers) {
            config.threadsPerTower = before.threadsPerTower;
        }
    }
}

/// The run keeps the file that a run or folder stands for when it begins. Said before minutes go
/// into reading data.
void findInitialWeights(const RunRequest& request, RunConfig& config, RunObserver& observer)
{
    if (!config.initialWeights.isGiven()) {
        return;
    }
    if (request.isResume) {
        const std::string before = configOfRun(request.folder).initialWeights.checkpoint;
        if (isFoundIn(before, config.initialWeights.checkpoint)) {
            config.initialWeights.checkpoint = before;
        }
    } else if (!request.checkpoint) {
        const auto onSkipped = [&](const std::string& text) {
            observer.onEvent(Note{NoteLevel::Warning, text});
        };
        config.initialWeights.checkpoint =
            initialWeightsFile(config.initialWeights, onSkipped).string();
    }
}

/// Said before minutes go into reading data. A GPU that is gone since is called by its name.
void checkDevices(const RunRequest& request)
{
    const auto before =
        request.isResume ? devicesOfRun(request.folder) : std::map<std::string, std::string>();
    static_cast<void>(describeDevice(request.config.device, before));
}

RunConfig prepared(const RunRequest& request, RunObserver& observer)
{
    checkNew(request);
    checkOwn(request);
    checkDevices(request);
    RunConfig config = request.config;
    keepThreads(request, config);
    if (request.ranks != nullptr && config.threadsPerTower == ThreadsPerTower{}) {
        const auto own = placeTowers(config.towers, request.ranks->size()).front().count;
        config.threadsPerTower = {std::max(1, ThreadTeam::processors() / own)};
    }
    config = resolved(std::move(config));
    findInitialWeights(request, config, observer);
    return request.ranks == nullptr ? config : configOfFirst(*request.ranks, config);
}

std::shared_ptr<const Dataset> openSplit(
    const std::shared_ptr<const Dataset>& brought, const RunConfig& config, Split split,
    RunObserver& observer)
{
    if (brought) {
        return brought;
    }
    return openDataset(
        datasetOf(config), split, [&](double /*share*/) { return observer.mayBegin(); });
}

/// A figure that no evaluation will have would keep no best checkpoint, without a word.
void checkBest(const RunConfig& config, const NetworkSpec& network)
{
    using Figure = BestCheckpointRule::Figure;
    const Figure figure = bestCheckpointByName(config.checkpointBestBy).figure;
    if (figure == Figure::AveragePrecision && !canScoreImages(network)) {
        fail(
            ErrorCode::BadInput,
            "checkpoint.best_by is {}, but model '{}' does not detect; use accuracy or loss",
            config.checkpointBestBy, network.name);
    }
    if (figure == Figure::TopFive
        && (!classifiesImages(network) || classesOf(network) <= kTopFive)) {
        fail(
            ErrorCode::BadInput,
            "checkpoint.best_by is {}, but model '{}' does not tell more than {} classes apart; "
            "use accuracy or loss",
            config.checkpointBestBy, network.name, kTopFive);
    }
}

} // namespace

TrainingRun::TrainingRun(const RunRequest& request, RunObserver& observer)
    : m_ranks(request.ranks), m_costs(request.config), m_config(prepared(request, observer)),
      m_observer(observer),
      m_training(openSplit(request.training, m_config, Split::Train, observer)),
      m_test(openSplit(request.test, m_config, Split::Test, observer)),
      m_session(
          m_config, *m_training, [&] { return observer.mayBegin(); }, m_ranks),
      m_wantedSteps(m_session.plan().config.steps)
{
    if (m_config.epochs > 0.0) {
        m_config.setSteps(m_wantedSteps);
        m_config.phases = m_session.plan().config.phases;
    }
    checkBest(m_config, m_session.plan().network);
    const std::string oddNames =
        checkClassNames(m_training->info().classNames, m_test->info().classNames);
    m_evaluation.emplace(
        m_session.plan().devices.first(), m_session.plan().network,
        m_session.stepper().arena().layout(), *m_test,
        distortionFor(m_config, m_session.plan().network));
    m_config.algorithms = m_session.plan().config.algorithms;
    m_config.threadsPerTower = {m_session.stepper().shape().threadsPerTower};
    m_evaluation->computeAs(precisionByName(m_config.precision), m_config.layerAlgorithms());
    if (m_ranks != nullptr) {
        m_evaluation->shareAmong(*m_ranks);
    }
    open(request);
    for (const RunValue& fact : runFacts(m_config, m_session, *m_training)) {
        m_files->append(fact);
    }
    const std::vector<std::string> account =
        linesOf(m_training->info().account, m_test->info().account);
    m_files->append(RunValue{kDataAccountFact, fmt::format("{}", fmt::join(account, "\n"))});
    m_chance = chanceOf(m_session.plan());
    m_files->append(
        RunValue{kChanceFact, fmt::format("{} {}", m_chance.accuracy, m_chance.crossEntropy)});
    auto notes = notesOfTests(identityOf(*m_test));
    notes.emplace(kDataLayoutNote, m_training->info().layout);
    m_session.note(std::move(notes));
    m_files->append(RunObjectives{objectiveNames(m_session.plan().network)});
    if (classifiesImages(m_session.plan().network)) {
        m_files->append(
            RunClasses{filledClassNames(m_training->info().classNames, m_test->info().classNames)});
    }
    storePhases();
    if (!oddNames.empty()) {
        note(NoteLevel::Warning, oddNames);
    }
    if (!m_session.plan().devices.note.empty()) {
        note(NoteLevel::Info, m_session.plan().devices.note);
    }
    for (const std::string& line : describe(m_session.plan(), m_session.stepper())) {
        note(NoteLevel::Info, line);
    }
    for (const std::string& line : account) {
        note(NoteLevel::Info, "data: " + line);
    }
    m_files->flush(); // who hears from now on that the run is up finds all of it
    listen();
    haveDataWaitedFor();
}

TrainingRun::~TrainingRun()
{
    endPatience();
}

const std::filesystem::path& TrainingRun::folder() const
{
    return m_files->folder();
}

const std::filesystem::path& TrainingRun::lastCheckpoint() const
{
    return m_files->lastCheckpoint();
}

void TrainingRun::open(const RunRequest& request)
{
    RunStart start = findRunStart(request, m_config, m_session, *m_test);
    if (start.state) {
        m_session.restore(start.state->checkpoint);
    }
    if (start.initial) {
        m_session.takeOver(start.initialTensors);
        m_initial = std::move(start.initial);
    }
    m_startStep = m_session.progress().step;
    m_stepsDone = m_startStep;
    RunBranch branch;
    branch.fromStep = m_session.progress().step;
    branch.towers = m_session.stepper().shape().towers;
    branch.batchPerTower = m_session.stepper().shape().batchPerTower;
    branch.trainingExamples = m_session.plan().epochExamples;
    m_files = std::make_unique<RunFiles>(
        start, m_config, RunFilesSettings{request.folder, m_session.plan().network.name, branch});
    for (const std::string& text : start.skipped) {
        note(NoteLevel::Warning, text);
    }
    tellStart(request, start);
    openEvents();
}

void TrainingRun::tellStart(const RunRequest& request, const RunStart& start)
{
    if (!request.note.empty()) {
        note(NoteLevel::Info, request.note);
    }
    if (request.isResume && !start.state) {
        note(NoteLevel::Warning, "there is no checkpoint to resume from: starting at step 0");
    }
    if (m_initial) {
        tellInitialWeights();
    } else if (start.state) {
        const std::string file = start.state->file.path.string();
        note(
            NoteLevel::Info, request.isResume ? fmt::format("resumed from {}", file)
                                              : fmt::format("a new run, begun from {}", file));
    }
    for (const std::string& change : {start.dataChange, start.testChange}) {
        if (!change.empty()) {
            note(NoteLevel::Warning, change);
        }
    }
}

void TrainingRun::tellInitialWeights()
{
    const InitialWeights& initial = *m_initial;
    m_files->append(RunValue{kWeightsFromFact, initial.file.string()});
    m_files->append(RunValue{kWeightsFromRunFact, initial.run});
    m_files->append(RunValue{kWeightsFromStepFact, std::to_string(initial.step)});
    m_files->append(RunValue{kInitialWeightsFact, initial.text()});
    note(NoteLevel::Info, "fine-tuning: " + initial.summary());
    for (const std::string& line : initial.leftLines()) {
        note(NoteLevel::Info, line);
    }
    if (const std::string others =
            initial.otherClasses(m_session.plan().network, m_training->info().classNames);
        !others.empty() && classifiesImages(m_session.plan().network)) {
        note(NoteLevel::Warning, others);
    }
    m_observer.onEvent(initial);
}

/// Records for TensorBoard, beside a training that does not depend on them.
void TrainingRun::openEvents()
{
    if (m_config.eventsEverySteps == 0) {
        return;
    }
    recordEvents([&] {
        EventRecorderSettings settings;
        settings.folder = RunFolder::eventsOf(folder());
        settings.everySteps = m_config.eventsEverySteps;
        settings.takeBackFrom = m_files->keptSteps();
        m_events = std::make_unique<EventRecorder>(settings, m_session, *m_training);
        for (const EvaluationRecord& evaluation : m_files->pastEvaluations()) {
            if (evaluation.step >= m_files->keptSteps()) {
                m_events->record(evaluation);
            }
        }
    });
}

} // namespace lockstep
