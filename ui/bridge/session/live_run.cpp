// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/live_run.h"

#include "engine/bench.h"
#include "engine/data.h"
#include "models/engine_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The losses of a step in the places of so many towers. A history may hold steps of another number
/// of towers: the last tower's stays the last one's, the others keep theirs as far as there are.
std::vector<double> lossesInPlaces(const StepRecord& record, int towers)
{
    std::vector<double> losses;
    for (const TowerRecord& tower : record.towers) {
        losses.push_back(crossEntropy(record, tower));
    }
    const double last = losses.empty() ? kUnknown : losses.back();
    losses.resize(std::max<std::size_t>(losses.size(), 1) - 1);
    losses.resize(static_cast<std::size_t>(towers), kUnknown);
    losses.back() = last;
    return losses;
}

} // namespace

LiveRun::LiveRun(SessionController& controller, QObject* parent)
    : QObject(parent), m_controller(controller)
{
    using State = SessionController::State;
    RunFeed& feed = controller.feed();
    connect(&feed, &RunFeed::started, this, &LiveRun::onStarted);
    connect(&feed, &RunFeed::towersPlaced, this, [this](const std::vector<TowerPlacement>& seats) {
        m_seats = seats;
        emit towersPlaced();
    });
    connect(&controller, &SessionController::stateChanged, this, [this](State state) {
        if (m_controller.canStart() && state != State::Following) {
            emit ended();
        }
    });
    connect(&feed, &RunFeed::stepsArrived, this, &LiveRun::onSteps);
    connect(&feed, &RunFeed::configChanged, this, [this](const RunConfig& config) {
        m_config = config;
        emit configChanged();
    });
    connect(&feed, &RunFeed::evaluationArrived, this, &LiveRun::onEvaluation);
    connect(
        &feed, &RunFeed::gradientsArrived, this,
        [this](const std::vector<GradientRecord>& records) {
            for (const GradientRecord& record : records) {
                if (m_verdicts) {
                    m_verdicts->take(gradientAgreement(record));
                }
            }
        });
    connect(
        &feed, &RunFeed::checkpointWritten, this,
        [this](qint64 step, const std::filesystem::path& file) {
            m_saved = SavedCheckpoint{step, file, QDateTime::currentDateTime()};
            emit checkpointSaved();
        });
}

bool LiveRun::isTrainedHere() const
{
    return m_controller.state() == SessionController::State::Following ? !isRecorded() && !machine()
                                                                       : m_controller.isBusy();
}

std::int64_t LiveRun::endStep() const
{
    const std::int64_t stop = m_controller.stopStep();
    return stop < 0 ? m_config.steps : std::min(m_config.steps, stop);
}

std::optional<double> LiveRun::secondsLeft() const
{
    const std::int64_t done = m_newest ? m_newest->step + 1 : 0;
    return secondsUntil(m_config, done, endStep(), m_throughput, m_evaluationSeconds);
}

void LiveRun::setSmoothing(double weight)
{
    m_smoothing = weight;
    if (m_series) {
        m_series->setSmoothing(weight);
        emit curvesChanged();
    }
}

void LiveRun::setJoints(std::vector<std::int64_t> steps)
{
    if (m_series && m_series->setJoints(std::move(steps))) {
        emit curvesChanged();
    }
}

void LiveRun::onStarted(const std::filesystem::path& folder, const RunConfig& config)
{
    m_folder = folder;
    m_config = config;
    auto next = std::make_unique<RunSeries>(
        config.towers, config.towerShape().batchPerTower, m_controller.plan().objectives);
    next->setRecorded(isRecorded());
    next->setDetecting(std::ranges::any_of(datasetCatalog(), [&](const auto& of) {
        return !isRecorded() && of.name == config.dataset && of.hasMasks;
    }));
    next->setSmoothing(m_smoothing);
    const auto towers = static_cast<std::size_t>(config.towers);
    m_verdicts.emplace(config.alerts, towers, m_controller.plan().chance, isRecorded());
    for (const AlertRecord& told : m_controller.plan().told) {
        if (told.kind == AlertKind::SlowTower) { // the rest is found again
            m_verdicts->recall(told);
        }
    }
    m_seats.assign(towers, TowerPlacement{});
    begin(std::move(next));
}

void LiveRun::clear()
{
    m_seats.clear();
    m_folder.clear();
    m_verdicts.reset();
    begin(nullptr);
    emit towersPlaced();
}

void LiveRun::begin(std::unique_ptr<RunSeries> series)
{
    std::swap(m_series, series); // those of before are kept until those who read them were told
    m_newest.reset();
    m_saved.reset();
    m_testAccuracy.reset();
    m_evaluationSeconds = 0.0;
    m_throughput = Throughput();
    m_evaluations.clear();
    emit begun();
}

void LiveRun::onSteps(const std::vector<StepRecord>& records)
{
    if (!m_series || records.empty()) {
        return;
    }
    for (const StepRecord& record : records) {
        appendStep(record);
        if (std::ranges::none_of(record.towers, isMissing)) {
            m_verdicts->take(record);
        }
    }
    m_newest = records.back();
    m_series->setExamplesPerSecond(m_throughput.rate());
    emit stepsAppended(records);
    appendDueEvaluations();
}

void LiveRun::appendStep(const StepRecord& record)
{
    const std::vector<double> losses = lossesInPlaces(record, m_series->towers());
    const ObjectiveLosses means = meanObjectives(record);
    std::vector<double> objectives(means.begin(), means.end());
    objectives.resize(m_series->objectives().size(), kUnknown);
    if (record.epoch > 0.0) { // examples / size of the training set
        m_series->setTrainingExamples(
            std::llround(static_cast<double>(record.examples) / record.epoch));
    }
    m_series->append(StepPoint{
        {record.step, record.epoch, record.wallSeconds, static_cast<double>(record.examples)},
        losses,
        crossEntropy(record),
        record.examplesPerSecond > 0.0 ? record.examplesPerSecond : kUnknown,
        trainAccuracy(record).value_or(kUnknown),
        objectives,
        std::isnan(record.weightDecayLoss) ? kUnknown : record.lossMean,
        isRecorded() && record.learningRate == 0.0 ? kUnknown : record.learningRate});
    if (record.step == m_controller.plan().nextStep) {
        m_throughput = Throughput(); // it may be trained otherwise than before
    }
    m_throughput.add(record);
}

void LiveRun::onEvaluation(const EvaluationRecord& record)
{
    if (!m_series) {
        return;
    }
    if (record.weights == WeightsKind::Average) {
        m_testAccuracy = record.accuracy;
        m_testedStep = record.step;
    }
    m_evaluationSeconds = record.seconds;
    m_evaluations.push_back(record);
    appendDueEvaluations();
    emit evaluated();
}

/// A point needs both kinds of weights, which are evaluated one after the other, and the moment of
/// the step: the history's evaluations arrive before its steps.
void LiveRun::appendDueEvaluations()
{
    bool isChanged = false;
    while (m_evaluations.size() >= 2) {
        const EvaluationRecord& first = m_evaluations[0];
        const EvaluationRecord& second = m_evaluations[1];
        if (first.step == second.step) {
            const std::int64_t newest = m_newest ? m_newest->step + 1 : 0;
            if (first.step > newest) {
                break;
            }
            const bool isRawFirst = first.weights == WeightsKind::Raw;
            const Timeline& shown = m_series->evaluations().timeline();
            // Asked for again at the same step: the same weights give the same result.
            if (shown.size() == 0 || shown.stepAt(shown.size() - 1) < first.step) {
                m_series->append(
                    momentAfter(first.step), isRawFirst ? first : second,
                    isRawFirst ? second : first);
                isChanged = true;
            }
            m_evaluations.erase(m_evaluations.begin(), m_evaluations.begin() + 2);
        } else {
            m_evaluations.pop_front(); // its other half was never made
        }
    }
    if (isChanged) {
        emit curvesChanged();
    }
}

Moment LiveRun::momentAfter(std::int64_t updates) const
{
    const Timeline& timeline = m_series->steps().timeline();
    const std::int64_t row = timeline.nearestRow(XAxis::Step, static_cast<double>(updates) - 1.0);
    Moment moment = row < 0 ? Moment{} : timeline.momentAt(row);
    moment.step = updates;
    return moment;
}

std::vector<TowerFigures> towerFigures(const StepRecord& step, const Throughput& throughput)
{
    std::vector<TowerFigures> figures;
    const std::vector<double> rates = throughput.towerRates();
    for (const TowerRecord& tower : step.towers) {
        const double loss = crossEntropy(step, tower);
        figures.push_back(
            {std::isnan(loss) ? std::nullopt : std::optional(loss),
             figures.size() < rates.size() ? std::optional(rates[figures.size()]) : std::nullopt});
    }
    return figures;
}

DeviceFigures deviceFigures(const DeviceReadingRecord& reading)
{
    return {
        QString::fromStdString(reading.device),
        reading.memoryUsedBytes,
        reading.memoryTotalBytes,
        reading.load,
        reading.temperature,
        reading.powerWatts,
        engineText(reading.throttleReason)};
}

} // namespace lockstep::ui
