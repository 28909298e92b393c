// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_marks.h"
#include "models/engine_text.h"

#include "bridge/runs/overlay_runs.h"

#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace lockstep::ui {
namespace {

/// For all curves of what was left behind together: each point costs time in every frame.
constexpr std::size_t kMostAbandonedNodes = 1000;
constexpr std::size_t kMostCurves = 6;
constexpr std::chrono::seconds kReadSoon(3);

/// Up to which step each branch is part of the lineage.
std::map<std::int64_t, std::int64_t> lineEnds(const std::vector<RunBranchInfo>& branches)
{
    std::map<std::int64_t, std::int64_t> ends;
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t id = branches.empty() ? 0 : branches.back().id; id > 0;) {
        const RunBranchInfo& branch = branches[static_cast<std::size_t>(id - 1)];
        ends[id] = end;
        end = std::min(end, branch.fromStep);
        id = branch.parent.value_or(0);
    }
    return ends;
}

void addFaults(
    std::vector<RunMark>& marks, const std::vector<RunEvent>& events,
    const std::map<std::int64_t, std::int64_t>& ends)
{
    for (const RunEvent& event : events) {
        if (event.level != "error") {
            continue;
        }
        const auto end = ends.find(event.branch);
        marks.push_back(
            {.kind = RunMark::Kind::Fault,
             .updates = event.step,
             .isLeftBehind = event.branch > 0 && (end == ends.end() || event.step >= end->second),
             .time = event.time,
             .text = engineText(event.text)});
    }
}

/// A mark where each branch of the lineage begins but the first.
void addBranches(
    std::vector<RunMark>& marks, const std::vector<RunBranchInfo>& branches,
    const std::map<std::int64_t, std::int64_t>& ends,
    const std::vector<AbandonedStretch>& abandoned)
{
    for (const RunBranchInfo& branch : branches) {
        if (!branch.parent || !ends.contains(branch.id)) {
            continue;
        }
        RunMark mark{
            .kind = RunMark::Kind::Branch,
            .updates = branch.fromStep,
            .endStep = branch.fromStep,
            .time = branch.created};
        for (const AbandonedStretch& stretch : abandoned) {
            if (stretch.firstStep == branch.fromStep) {
                mark.endStep = std::max(mark.endStep, stretch.endStep);
            }
        }
        marks.push_back(mark);
    }
}

/// Of each the steps where its branch began, if they were left behind.
void findOrigins(
    std::vector<AbandonedSteps>& steps, std::span<const AbandonedStretch> stretches,
    const std::vector<RunBranchInfo>& branches)
{
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::int64_t first = stretches[i].firstStep;
        const RunBranchInfo& branch = branches[static_cast<std::size_t>(stretches[i].branch - 1)];
        const auto origin = std::ranges::find_if(stretches, [&](const AbandonedStretch& other) {
            return other.branch == branch.parent && other.firstStep < first
                   && first <= other.endStep;
        });
        if (branch.fromStep == first && origin != stretches.end()) {
            steps[i].origin = steps[static_cast<std::size_t>(origin - stretches.begin())].series;
        }
    }
}

/// The height of a smoothed mean loss at that step; not a number where it has none.
double heightAt(const SeriesStore& store, int mean, std::int64_t step)
{
    const Timeline& timeline = store.timeline();
    const auto place = static_cast<double>(step);
    const std::int64_t row =
        std::min(timeline.firstRowFrom(XAxis::Step, place), timeline.size() - 1);
    return row < 0 ? std::nan("") : store.series(mean).smoothedAt(row);
}

/// None where it can't be read: whoever shows the run says what is wrong with its store.
std::shared_ptr<const RunHistory> historyOf(const std::filesystem::path& run)
{
    try {
        return std::make_shared<const RunHistory>(readRunHistory(run));
    } catch (const std::exception&) {
        return nullptr;
    }
}

} // namespace

RunHistory readRunHistory(const std::filesystem::path& run)
{
    const RunStoreReader reader(RunFolder::storeFileOf(run));
    const std::vector<RunBranchInfo> branches = reader.branches();
    const std::map<std::int64_t, std::int64_t> ends = lineEnds(branches);
    const std::vector<AbandonedStretch> abandoned =
        branches.size() < 2 ? std::vector<AbandonedStretch>()
                            : reader.abandoned(kMostAbandonedNodes / kMostCurves);
    RunHistory history;
    addFaults(history.marks, reader.events(), ends);
    addBranches(history.marks, branches, ends, abandoned);
    std::ranges::stable_sort(history.marks, {}, &RunMark::updates);
    const std::size_t first = abandoned.size() - std::min(abandoned.size(), kMostCurves);
    for (std::size_t i = first; i < abandoned.size(); ++i) { // the latest ones
        history.abandoned.push_back(
            {abandoned[i].firstStep, abandoned[i].endStep,
             overlaySeriesOf(abandoned[i].lossPreview)});
    }
    findOrigins(history.abandoned, std::span(abandoned).subspan(first), branches);
    return history;
}

std::vector<std::int64_t> RunHistory::joints() const
{
    std::set<std::int64_t> steps;
    for (const AbandonedSteps& left : abandoned) {
        if (left.origin == nullptr) {
            steps.insert(left.firstStep);
        }
    }
    return {steps.begin(), steps.end()};
}

RunMarks::RunMarks(LiveRun& run, QObject* parent)
    : QObject(parent), m_run(run),
      m_reading(
          *this, historyOf, [this](const auto& read, const auto& history) { take(read, *history); })
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &RunMarks::read);
    connect(&run, &LiveRun::begun, this, &RunMarks::onBegun);
    connect(&run, &LiveRun::ended, this, &RunMarks::read);
    connect(&run, &LiveRun::stepsAppended, this, &RunMarks::onSteps);
    connect(&run, &LiveRun::curvesChanged, this, &RunMarks::takeEvaluations);
}

std::vector<RunMark> RunMarks::marks() const
{
    std::vector<RunMark> all = m_history.marks;
    all.insert(all.end(), m_live.begin(), m_live.end());
    std::ranges::stable_sort(all, {}, &RunMark::updates);
    return all;
}

void RunMarks::setSmoothing(double weight)
{
    m_smoothing = weight;
    for (const AbandonedSteps& steps : m_history.abandoned) {
        steps.series->setSmoothing(weight);
    }
    joinAbandoned();
}

/// The part that was left and the one that was made instead begin at the same height, at which the
/// steps before them end, else the better of them would seem to begin with a hook.
void RunMarks::joinAbandoned()
{
    m_run.setJoints(m_history.joints());
    for (const AbandonedSteps& steps : m_history.abandoned) {
        const double height =
            steps.origin
                ? heightAt(steps.origin->losses(), OverlaySeries::kMeanLoss, steps.firstStep)
            : m_run.series() != nullptr
                ? heightAt(m_run.series()->steps(), RunSeries::kMeanLoss, steps.firstStep)
                : std::nan("");
        if (std::isfinite(height)) {
            steps.series->beginAt(height, steps.firstStep);
        }
    }
}

void RunMarks::onBegun()
{
    m_live.clear();
    m_rates = {};
    m_isFaulty = m_run.isRecorded(); // until there was a loss, it is only not known
    m_evaluations = 0;
    take(m_run.folder(), {});
    read();
    m_soon.start(kReadSoon);
}

void RunMarks::onSteps(const std::vector<StepRecord>& records)
{
    const std::size_t known = m_live.size();
    for (const StepRecord& record : records) {
        const bool isFaulty = !std::isfinite(record.lossMean);
        if (isFaulty && !m_isFaulty) {
            m_live.push_back({.kind = RunMark::Kind::Fault, .updates = record.step});
        }
        m_isFaulty = isFaulty;
        if (const auto jump = m_rates.append(record.learningRate)) {
            m_live.push_back(
                {.kind = RunMark::Kind::LearningRate,
                 .updates = record.step,
                 .before = jump->before,
                 .after = jump->after});
        }
    }
    joinAbandoned();
    if (m_live.size() != known) {
        emit changed();
    }
}

void RunMarks::takeEvaluations()
{
    if (m_run.series() == nullptr) {
        return;
    }
    const SeriesStore& tests = m_run.series()->evaluations();
    const bool isNew = m_evaluations < tests.size();
    for (; m_evaluations < tests.size(); ++m_evaluations) {
        m_live.push_back(
            {.updates = tests.timeline().stepAt(m_evaluations),
             .before = tests.series(RunSeries::kTestAccuracy).at(m_evaluations),
             .after = tests.series(RunSeries::kMovingAverageAccuracy).at(m_evaluations)});
    }
    if (isNew) {
        emit changed();
    }
}

void RunMarks::read()
{
    if (!m_run.folder().empty()) {
        m_reading.request(m_run.folder());
    }
}

void RunMarks::take(const std::filesystem::path& run, RunHistory history)
{
    if (run != m_run.folder()) {
        return;
    }
    const RunHistory before = std::exchange(m_history, std::move(history));
    setSmoothing(m_smoothing);
    emit changed();
    emit abandonedChanged();
}

} // namespace lockstep::ui
