// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/overlay_reader.h"

#include "bridge/telemetry/stored_run.h"

#include <algorithm>
#include <limits>
#include <utility>

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

std::shared_ptr<OverlaySeries> overlaySeriesOf(
    const LossPreview& preview, std::vector<std::string> objectives)
{
    auto series = std::make_shared<OverlaySeries>(std::move(objectives));
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

std::shared_ptr<OverlaySeries> OverlayReader::read()
{
    const RunStoreReader reader(RunFolder::storeFileOf(m_folder));
    const LossPreview preview = reader.lossPreview(kMostNodes);
    auto series = overlaySeriesOf(preview, severalObjectives(reader.objectives()));
    std::int64_t last = -1;
    for (const EvaluationRecord& record : reader.evaluations()) {
        // Asked for again at the same step: the same weights give the same result.
        if (record.weights == WeightsKind::Average && record.step > last) {
            series->appendTest(momentAfter(preview, record.step), record.accuracy);
            last = record.step;
        }
    }
    readOn(reader);
    series->setHasTowers(m_towers > 1);
    for (const Stretch& stretch : m_stretches) {
        OverlayFigures figures = stretch.figures;
        for (std::size_t i = 0; i < series->objectives().size(); ++i) {
            figures.objectives.push_back(stretch.sums[i] / static_cast<double>(figures.steps));
        }
        series->append(figures);
    }
    return series;
}

/// From the beginning, if the run has gone on from an earlier step since.
void OverlayReader::readOn(const RunStoreReader& reader)
{
    if (const std::int64_t branch = newestBranch(reader); branch != m_branch) {
        *this = OverlayReader(m_folder);
        m_branch = branch;
    }
    reader.forEachCurveStep([this](const StepRecord& record) { take(record); }, m_nextStep);
}

void OverlayReader::take(const StepRecord& record)
{
    std::vector<double> losses;
    losses.reserve(record.towers.size());
    for (const TowerRecord& tower : record.towers) {
        losses.push_back(tower.loss);
    }
    m_towers = std::max(m_towers, losses.size());
    m_statistics.append(record.step, losses, record.lossMean);
    m_nextStep = record.step + 1;
    const Moment moment{
        record.step, record.epoch, record.wallSeconds, static_cast<double>(record.examples)};
    stretchOf(record.step)
        .add(
            {{moment, 1, m_statistics.bias().mean(), m_statistics.varianceRatio(), {}},
             meanObjectives(record)});
}

OverlayReader::Stretch& OverlayReader::stretchOf(std::int64_t step)
{
    const auto isOf = [&] {
        return !m_stretches.empty()
               && m_stretches.back().figures.last.step / m_width == step / m_width;
    };
    if (!isOf() && m_stretches.size() >= kMostNodes) {
        widen();
    }
    if (!isOf()) {
        m_stretches.push_back({OverlayFigures{{}, 0, 0.0, 0.0, {}}, {}});
    }
    return m_stretches.back();
}

void OverlayReader::widen()
{
    m_width *= 2;
    for (const Stretch& stretch : std::exchange(m_stretches, {})) {
        stretchOf(stretch.figures.last.step).add(stretch);
    }
}

void OverlayReader::Stretch::add(const Stretch& next)
{
    const std::int64_t steps = figures.steps + next.figures.steps;
    figures = next.figures;
    figures.steps = steps;
    for (std::size_t i = 0; i < next.sums.size(); ++i) {
        if (i == sums.size()) {
            sums.add(0.0);
        }
        sums[i] += next.sums[i];
    }
}

} // namespace lockstep::ui
