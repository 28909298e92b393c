// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_summaries.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "models/engine_text.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Points of the little curve: about one for each pixel.
constexpr std::size_t kCurvePoints = 96;
/// Over which the rate is taken.
constexpr std::int64_t kRateSteps = 100;

/// Of a run that nobody trains.
RunStage stageOf(std::optional<RunState> state, qint64 stepsDone)
{
    if (!state || state == RunState::Ready) {
        return stepsDone == 0 ? RunStage::New : RunStage::Stopped;
    }
    return state == RunState::Finished  ? RunStage::Finished
           : state == RunState::Stopped ? RunStage::Stopped
           : state == RunState::Failed  ? RunStage::Failed
                                        : RunStage::EndedUnexpectedly;
}

RunStage stageOf(const RunStoreReader& reader, const fs::path& folder, const RunRow& row)
{
    const RunStage stage = stageOf(recordedState(reader.values()), row.stepsDone);
    if (stage == RunStage::EndedUnexpectedly && !row.recordedBy.isEmpty()) {
        return RunStage::Stopped; // it may still be trained
    }
    // Its process may have come only after it was looked for.
    return stage == RunStage::EndedUnexpectedly && RunLock::writerOf(folder) ? RunStage::Training
                                                                             : stage;
}

void takeCurve(RunRow& row, const LossPreview& preview)
{
    for (const LossPreviewNode& node : preview) {
        const double middle = 0.5 * static_cast<double>(node.firstStep + node.endStep - 1);
        row.curve.push_back({middle, node.mean});
        if (std::isfinite(node.minimum)) {
            row.lowestLoss = std::min<double>(row.lowestLoss.value_or(node.minimum), node.minimum);
        }
    }
}

void takeLastSteps(RunRow& row, const RunStoreReader& reader)
{
    std::int64_t examples = 0;
    double seconds = 0.0;
    reader.forEachStep(
        [&](const StepRecord& record) {
            row.lastLoss = crossEntropy(record);
            for (const TowerRecord& tower : record.towers) {
                examples += tower.examples;
            }
            seconds += record.stepSeconds;
        },
        std::max<std::int64_t>(0, row.stepsDone - kRateSteps), row.stepsDone);
    if (seconds > 0.0 && examples > 0) {
        row.examplesPerSecond = static_cast<double>(examples) / seconds;
    }
}

void takeEvaluations(RunRow& row, const RunStoreReader& reader)
{
    for (const EvaluationRecord& record : reader.evaluations()) {
        if (record.weights == WeightsKind::Average) {
            row.lastAccuracy = record.accuracy;
            row.bestAccuracy = std::max(row.bestAccuracy.value_or(0.0), record.accuracy);
        }
    }
}

/// That of a recorded run knows no more than what stands first.
void takeConfiguration(RunRow& row, const fs::path& folder)
{
    const RunConfig config = configOfRun(folder);
    const std::string recorder = recorderOf(folder);
    row.name = titleOf(folder, config);
    row.recordedBy = QString::fromStdString(recorder);
    row.model = modelTitle(config);
    row.dataset = datasetTitle(config);
    row.towers = config.towers;
    row.batchPerTower = config.towerShape().batchPerTower;
    if (!recorder.empty()) {
        return;
    }
    row.learningRate = config.learningRate.initial;
    row.optimizer = QString::fromStdString(config.optimizer.name);
    row.precision = QString::fromStdString(config.precision);
    row.stepsWanted = config.steps;
}

void takeStore(RunRow& row, const fs::path& folder)
{
    const auto writer = RunLock::writerOf(folder); // before the store, which has the last word
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    row.process = writer.value_or(0);
    takeResults(row, reader);
    row.stage = writer ? RunStage::Training : stageOf(reader, folder, row);
    const auto branches = reader.branches();
    if (!branches.empty()) {
        row.started =
            QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(branches.front().created * 1000.0));
    }
    if (!row.recordedBy.isEmpty()) {
        reader.forEachStep(
            [&](const StepRecord& first) { row.learningRate = first.learningRate; }, 0, 1);
    }
    if (!row.recordedBy.isEmpty() && !row.lowestLoss) {
        row.lastLoss.reset(); // nobody told any
    }
}

constexpr std::chrono::milliseconds kWhileTraining(2000);
constexpr std::chrono::milliseconds kOtherwise(5000);
/// A folder is there before the files in it.
constexpr std::chrono::milliseconds kSoon(400);

} // namespace

void takeResults(RunRow& row, const RunStoreReader& store)
{
    row.stepsDone = store.nextStep();
    takeCurve(row, store.lossPreview(kCurvePoints));
    takeLastSteps(row, store);
    takeEvaluations(row, store);
}

RunRow readRunSummary(const fs::path& folder)
{
    RunRow row;
    row.folder = toQString(folder);
    row.name = nameOf(folder);
    try {
        takeConfiguration(row, folder);
        takeStore(row, folder);
    } catch (const std::exception& error) {
        row.stage = RunStage::Unreadable;
        row.problem = engineText(error.what());
    }
    return row;
}

RunRow readRunSummary(const fs::path& mirror, const RemoteRun& there)
{
    std::error_code ignored;
    RunRow row;
    if (fs::exists(RunFolder::storeFileOf(mirror), ignored)) {
        row = readRunSummary(mirror);
    } else {
        row.folder = toQString(mirror);
        row.name = QString::fromStdString(there.title.empty() ? there.name : there.title);
    }
    try {
        takeConfiguration(row, mirror);
    } catch (const std::exception&) { // the machine says what is wrong with it
    }
    row.process = 0;
    row.stepsDone = there.step;
    row.problem = engineText(there.problem);
    row.stage = !there.problem.empty() ? RunStage::Unreadable
                : there.isTrained      ? RunStage::Training
                                       : stageOf(runStateByName(there.state), there.step);
    if (there.started > 0.0) {
        row.started = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(there.started * 1000.0));
    }
    row.lastLoss = there.lastLoss;
    row.lastAccuracy = there.lastAccuracy;
    row.bestAccuracy = there.bestAccuracy;
    return row;
}

RunSummaries::RunSummaries(QObject* parent)
    : QObject(parent),
      m_reading(
          *this,
          [this](const Wanted& wanted) { return std::make_shared<const bool>(read(wanted)); },
          [this](const auto& /*wanted*/, const auto& /*isWhole*/) { onRefreshed(); })
{
    m_clock.setInterval(kOtherwise);
    connect(&m_clock, &QTimer::timeout, this, &RunSummaries::refresh);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &RunSummaries::refresh);
    connect(&m_folders, &QFileSystemWatcher::directoryChanged, this, &RunSummaries::refreshSoon);
}

void RunSummaries::setOthers(const QStringList& folders)
{
    if (std::exchange(m_wanted.others, folders) != folders && m_isWatching) {
        refresh();
    }
}

void RunSummaries::setMachine(std::shared_ptr<RemoteMachine> machine)
{
    m_wanted.machine = std::move(machine);
    ++m_wanted.place;
    m_training.clear();
    emit listed({}); // nobody is to open what stands for a run there when nothing comes from there
    refresh();
}

void RunSummaries::setWatching(bool isWatching)
{
    if (isWatching == m_isWatching) {
        return;
    }
    m_isWatching = isWatching;
    if (isWatching) {
        refresh();
        m_clock.start();
    } else {
        m_clock.stop();
        m_soon.stop();
        if (!m_folders.directories().isEmpty()) {
            m_folders.removePaths(m_folders.directories());
        }
    }
}

std::vector<RunSummaries::Source> RunSummaries::sourcesOf(const Wanted& wanted)
{
    std::vector<Source> sources;
    if (wanted.machine) {
        for (const RemoteRun& run : wanted.machine->runs()) {
            sources.push_back({wanted.machine->mirrorOf(run.name), run, {}});
        }
        return sources;
    }
    for (const fs::path& folder : RunLibrary::knownRuns()) {
        sources.push_back({folder, {}, {}});
    }
    for (const QString& other : wanted.others) {
        const fs::path folder = toPath(other);
        const bool isKnown = std::ranges::find(sources, folder, &Source::folder) != sources.end();
        if (RunFolder::isRun(folder) && !isKnown) {
            sources.push_back({folder, {}, {}});
        }
    }
    return sources;
}

/// What was read of a machine that was left meanwhile is not told.
void RunSummaries::tell(int place, const std::function<void()>& what)
{
    m_mailbox.post([this, place, what] {
        if (place == m_wanted.place) {
            what();
        }
    });
}

/// On the thread.
bool RunSummaries::read(const Wanted& wanted)
{
    if (std::exchange(m_placeRead, wanted.place) != wanted.place) {
        m_read.clear();
    }
    std::map<fs::path, Source> read;
    QStringList folders;
    std::vector<Source> sources = sourcesOf(wanted);
    for (const Source& source : sources) {
        folders.append(toQString(source.folder));
    }
    tell(wanted.place, [this, folders] { emit listed(folders); });
    for (Source& source : sources) {
        if (m_isStopped) {
            return false;
        }
        const fs::path& folder = source.folder;
        source.stamp = runStamp(folder); // before what is read: it may change meanwhile
        const auto known = m_read.find(folder);
        if (known == m_read.end() || known->second != source) {
            const RunRow row =
                source.there ? readRunSummary(folder, *source.there) : readRunSummary(folder);
            tell(wanted.place, [this, row] { onSummarised(row); });
        }
        read.emplace(folder, std::move(source));
    }
    m_read = std::move(read);
    return true;
}

void RunSummaries::refreshSoon()
{
    if (m_isWatching && !m_soon.isActive()) {
        m_soon.start(kSoon);
    }
}

void RunSummaries::onSummarised(const RunRow& row)
{
    if (row.stage == RunStage::Training) {
        m_training.insert(row.folder);
    } else {
        m_training.erase(row.folder);
    }
    emit summarised(row);
}

void RunSummaries::onRefreshed()
{
    m_clock.setInterval(m_training.empty() ? kOtherwise : kWhileTraining);
    const QString folder = toQString(RunLibrary::runsFolder());
    if (m_isWatching && m_folders.directories().isEmpty() && QFileInfo(folder).isDir()) {
        m_folders.addPath(folder); // which the first run makes
    }
    emit refreshed();
}

} // namespace lockstep::ui
