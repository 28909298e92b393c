// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/overlay_runs.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/run.h"
#include "models/engine_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

/// About two for each pixel column of a chart.
constexpr std::size_t kMostNodes = 2000;

/// When the update before `step` was made.
Moment momentAfter(const LossPreview& preview, std::int64_t step)
{
    const auto node = std::partition_point(
        preview.begin(), preview.end(), [&](const auto& each) { return each.endStep < step; });
    if (preview.empty()) {
        return {step, 0.0, 0.0};
    }
    const LossPreviewNode& at = node == preview.end() ? preview.back() : *node;
    return {step, at.epoch, at.wallSeconds, static_cast<double>(at.examples)};
}

/// Within a node, from what is known at the end of the one before; not a number where that is
/// nothing.
double speedOf(const LossPreviewNode& node, const LossPreviewNode& before)
{
    const double seconds = node.wallSeconds - before.wallSeconds;
    return node.firstStep == before.endStep && seconds > 0.0
               ? static_cast<double>(node.examples - before.examples) / seconds
               : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

std::shared_ptr<OverlaySeries> overlaySeriesOf(const LossPreview& preview)
{
    auto series = std::make_shared<OverlaySeries>();
    LossPreviewNode before; // of step 0, which nothing comes before
    for (const LossPreviewNode& node : preview) {
        series->append(OverlayNode{
            {node.endStep - 1, node.epoch, node.wallSeconds, static_cast<double>(node.examples)},
            node.endStep - node.firstStep,
            node.minimum,
            node.maximum,
            node.mean,
            speedOf(node, before)});
        before = node;
    }
    return series;
}

bool isDecayKnown(const RunStoreReader& reader)
{
    const std::vector<RunBranchInfo> branches = reader.branches();
    const std::int64_t begin = branches.empty() ? 0 : branches.front().fromStep;
    bool isKnown = true;
    reader.forEachStep(
        [&](const StepRecord& first) { isKnown = !std::isnan(first.weightDecayLoss); }, begin,
        begin + 1);
    return isKnown;
}

std::shared_ptr<OverlaySeries> overlaySeriesOf(const RunStoreReader& reader)
{
    const LossPreview preview = reader.lossPreview(kMostNodes);
    auto series = overlaySeriesOf(preview);
    // Losses of other programs may be without it.
    series->setDecayIncluded(!reader.values().contains(kRecordedByFact) && !isDecayKnown(reader));
    std::int64_t last = -1;
    for (const EvaluationRecord& record : reader.evaluations()) {
        // Asked for again at the same step: the same weights give the same result.
        if (record.weights == WeightsKind::Average && record.step > last) {
            series->append(momentAfter(preview, record.step), record);
            last = record.step;
        }
    }
    return series;
}

std::shared_ptr<OverlaySeries> OverlayReader::read()
{
    const RunStoreReader reader(RunFolder::storeFileOf(m_folder));
    auto series = overlaySeriesOf(reader);
    if (const std::int64_t branch = newestBranch(reader); branch != m_branch) {
        *this = OverlayReader(m_folder); // it has gone on from an earlier step since
        m_branch = branch;
    }
    reader.forEachCurveStep([this](const StepRecord& record) { take(record); }, m_nextStep);
    series->setHasTowers(m_towers > 1);
    for (const OverlayFigures& stretch : m_stretches) {
        series->append(stretch);
    }
    return series;
}

void OverlayReader::take(const StepRecord& record)
{
    std::vector<double> losses;
    losses.reserve(record.towers.size());
    for (const TowerRecord& tower : record.towers) {
        losses.push_back(crossEntropy(record, tower));
    }
    m_towers = std::max(m_towers, losses.size());
    m_statistics.append(record.step, losses, crossEntropy(record));
    m_nextStep = record.step + 1;
    const Moment moment{
        record.step, record.epoch, record.wallSeconds, static_cast<double>(record.examples)};
    stretchOf(record.step) = {moment, m_statistics.bias().mean(), m_statistics.varianceRatio()};
}

OverlayFigures& OverlayReader::stretchOf(std::int64_t step)
{
    const auto isOf = [&] {
        return !m_stretches.empty() && m_stretches.back().last.step / m_width == step / m_width;
    };
    if (!isOf() && m_stretches.size() >= kMostNodes) {
        m_width *= 2;
        for (const OverlayFigures& stretch : std::exchange(m_stretches, {})) {
            stretchOf(stretch.last.step) = stretch;
        }
    }
    return isOf() ? m_stretches.back() : m_stretches.emplace_back();
}

QString subjectOf(const RunConfig& config)
{
    return QStringLiteral("%1, %2").arg(modelTitle(config), datasetTitle(config));
}

OverlayRuns::OverlayRuns(QObject* parent) : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

OverlayRuns::Overlay* OverlayRuns::find(const QString& folder)
{
    const auto found = std::ranges::find(m_overlays, folder, &Overlay::folder);
    return found == m_overlays.end() ? nullptr : &*found;
}

bool OverlayRuns::setOverlaid(const QString& folder, bool isOverlaid)
{
    const auto known = std::ranges::find(m_overlays, folder, &Overlay::folder);
    if ((known != m_overlays.end()) == isOverlaid) {
        return true;
    }
    if (!isOverlaid) {
        const Overlay kept = *known; // until those who read it were told
        m_overlays.erase(known);
        emit changed();
        return true;
    }
    if (m_overlays.size() == kMost) {
        return false;
    }
    int color = 0; // the first one that is free
    while (std::ranges::find(m_overlays, color, &Overlay::color) != m_overlays.end()) {
        ++color;
    }
    RunConfig config;
    QString subject;
    try {
        config = configOfRun(toPath(folder));
        subject = subjectOf(config);
    } catch (const std::exception&) { // said where the run is read
    }
    m_overlays.push_back(
        {folder, titleOf(toPath(folder)), subject, config, color, nullptr,
         std::make_shared<OverlayReader>(toPath(folder))});
    emit changed();
    refresh(folder);
    return true;
}

void OverlayRuns::keepOnly(const QString& subject)
{
    for (const Overlay& overlay : std::vector(m_overlays)) {
        if (overlay.subject != subject) {
            setOverlaid(overlay.folder, false);
        }
    }
}

QStringList OverlayRuns::folders() const
{
    QStringList folders;
    for (const Overlay& overlay : m_overlays) {
        folders.append(overlay.folder);
    }
    return folders;
}

QHash<QString, int> OverlayRuns::colors() const
{
    QHash<QString, int> colors;
    for (const Overlay& overlay : m_overlays) {
        colors.insert(overlay.folder, overlay.color);
    }
    return colors;
}

void OverlayRuns::refresh(const QString& folder)
{
    const Overlay* const overlay = find(folder);
    if (overlay == nullptr) {
        return;
    }
    if (m_reading.contains(folder)) {
        m_wanted.insert(folder);
        return;
    }
    m_reading.insert(folder);
    m_thread.start([this, folder, reader = overlay->reader] {
        std::shared_ptr<OverlaySeries> series;
        QString problem;
        try {
            series = reader->read();
        } catch (const std::exception& error) {
            problem = engineText(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, folder, series, problem] {
                onRead(folder, series);
                if (!problem.isEmpty()) {
                    emit failed(problem);
                }
            },
            Qt::QueuedConnection);
    });
}

void OverlayRuns::onRead(const QString& folder, const std::shared_ptr<OverlaySeries>& series)
{
    m_reading.remove(folder);
    Overlay* const overlay = find(folder);
    if (overlay != nullptr && series != nullptr) {
        series->setSmoothing(m_smoothing);
        const auto kept = std::exchange(overlay->series, series);
        overlay->name = titleOf(toPath(folder)); // another one may have been given
        emit changed();
    } else if (overlay != nullptr) {
        setOverlaid(folder, false);
    }
    if (m_wanted.remove(folder)) {
        refresh(folder);
    }
}

void OverlayRuns::setSmoothing(double weight)
{
    m_smoothing = weight;
    for (const Overlay& overlay : m_overlays) {
        if (overlay.series) {
            overlay.series->setSmoothing(weight);
        }
    }
}

} // namespace lockstep::ui
