// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/run_feed.h"
#include "models/engine_text.h"

#include "engine/base.h"

#include <chrono>
#include <variant>

namespace lockstep::ui {
namespace {

/// A fast run measures them hundreds of times a second, which nobody can read.
constexpr std::chrono::milliseconds kGradientRest{480};

} // namespace

RunFeed::RunFeed(QObject* parent) : QObject(parent)
{
    connect(&m_pump, &TelemetryPump::stepsArrived, this, &RunFeed::stepsArrived);
    const auto tellLost = [this](qint64 first, qint64 end, const QString& reason) {
        emit noteArrived(
            tr("Steps %L1 to %L2 are missing from the charts: %3")
                .arg(first)
                .arg(end - 1)
                .arg(reason),
            true);
    };
    connect(&m_pump, &TelemetryPump::stepsLost, this, tellLost);
    connect(&m_pump, &TelemetryPump::drained, this, &RunFeed::drained);
    m_gradientRest.setSingleShot(true);
    m_gradientRest.setInterval(kGradientRest);
    connect(&m_gradientRest, &QTimer::timeout, this, &RunFeed::tellGradients);
}

void RunFeed::push(const GradientRecord& record)
{
    if (m_gradients.push(record)) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!m_gradientRest.isActive()) {
                    m_gradientRest.start();
                }
            },
            Qt::QueuedConnection);
    }
}

void RunFeed::begin(const RunPlan& plan)
{
    m_pump.begin(RunFolder::storeFileOf(plan.folder), plan.firstStep, plan.nextStep);
    emit started(plan.folder, plan.config);
    emit towersPlaced(plan.towers);
    if (!plan.history.empty()) {
        emit historyArrived(plan.history);
    }
    for (const EvaluationRecord& record : plan.evaluations) {
        emit evaluationArrived(record);
    }
    if (!plan.gradients.empty()) {
        emit gradientsArrived(plan.gradients);
    }
    for (const DeviceReadingRecord& record : plan.readings) {
        emit deviceReadingArrived(record);
    }
}

void RunFeed::take(const TrainingEvent& event)
{
    std::visit(
        Overloaded{
            [this](RunState) { flush(); },
            [this](const EvaluatedExamples& told) { emit examplesEvaluated(told.done, told.all); },
            [this](const EvaluationRecord& record) {
                m_pump.flush();
                emit evaluationArrived(record);
            },
            [this](const WrittenCheckpoint& checkpoint) {
                m_pump.flush();
                emit checkpointWritten(checkpoint.step, checkpoint.file);
            },
            [this](const AlertRecord& alert) {
                m_pump.flush();
                emit alertArrived(alert);
            },
            [this](const RunConfig& config) {
                m_pump.flush();
                emit configChanged(config);
            },
            [this](const std::shared_ptr<const MaskRecord>& masks) { emit masksArrived(masks); },
            [this](const DeviceReadingRecord& record) { emit deviceReadingArrived(record); },
            [this](const PreflightRecord& record) { emit preflightArrived(record); },
            [this](const Note& note) {
                emit noteArrived(engineText(note.text), note.level != NoteLevel::Info);
            },
            [](const auto& /*others*/) {}},
        event);
}

void RunFeed::flush()
{
    m_pump.flush();
    tellGradients();
}

void RunFeed::finish(std::int64_t endStep)
{
    tellGradients();
    m_pump.finish(endStep);
}

void RunFeed::reset()
{
    m_pump.reset();
    static_cast<void>(m_gradients.take());
}

void RunFeed::tellGradients()
{
    if (const std::vector<GradientRecord> records = m_gradients.take(); !records.empty()) {
        emit gradientsArrived(records);
    }
}

} // namespace lockstep::ui
