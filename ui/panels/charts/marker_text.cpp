// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/marker_text.h"

#include "bridge/preview/batch_text.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kMostLetters = 60; // of a line in a card

struct MarkerText
{
    Q_DECLARE_TR_FUNCTIONS(MarkerText)
};

QString percentText(double share)
{
    return std::isnan(share) ? QStringLiteral("–")
                             : numberText(share, {100.0, 1, MarkerText::tr(" %")});
}

void addTime(PlotMarker& marker, double seconds)
{
    if (seconds > 0.0) {
        const auto time = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(seconds));
        marker.facts.emplace_back(
            MarkerText::tr("when"), QLocale().toString(time, QLocale::ShortFormat));
    }
}

void tellFault(PlotMarker& marker, const RunMark& mark)
{
    marker.kind = PlotMarker::Kind::Fault;
    if (mark.text.isEmpty()) {
        marker.title = MarkerText::tr("the loss is not a number");
        return;
    }
    marker.title = MarkerText::tr("an error");
    addTime(marker, mark.time);
    const bool isLong = mark.text.size() > kMostLetters;
    marker.facts.emplace_back(
        MarkerText::tr("why"),
        isLong ? mark.text.left(kMostLetters).trimmed() + QStringLiteral("…") : mark.text);
    if (mark.isLeftBehind) {
        marker.facts.emplace_back(
            MarkerText::tr("since then"), MarkerText::tr("the run went on from before"));
    }
}

void tellBranch(PlotMarker& marker, const RunMark& mark)
{
    marker.kind = PlotMarker::Kind::Branch;
    marker.title = MarkerText::tr("the run went on from here");
    addTime(marker, mark.time);
    if (mark.endStep > mark.updates) {
        marker.facts.emplace_back(
            MarkerText::tr("left behind"),
            MarkerText::tr("steps %1 to %2 (grey)")
                .arg(countText(mark.updates), countText(mark.endStep - 1)));
    }
}

PlotMarker markerOf(const RunMark& mark)
{
    PlotMarker marker;
    marker.updates = mark.updates;
    switch (mark.kind) {
    case RunMark::Kind::Fault:
        tellFault(marker, mark);
        break;
    case RunMark::Kind::LearningRate:
        marker.kind = PlotMarker::Kind::LearningRate;
        marker.title = MarkerText::tr("learning rate %1 → %2")
                           .arg(rateText(mark.before), rateText(mark.after));
        break;
    case RunMark::Kind::Branch:
        tellBranch(marker, mark);
        break;
    case RunMark::Kind::Evaluation:
        marker.kind = PlotMarker::Kind::Evaluation;
        marker.title = MarkerText::tr("evaluated, %1")
                           .arg(percentText(std::isnan(mark.after) ? mark.before : mark.after));
        marker.facts = {
            {MarkerText::tr("test accuracy, raw weights"), percentText(mark.before)},
            {MarkerText::tr("moving averages"), percentText(mark.after)}};
        break;
    }
    return marker;
}

} // namespace

std::vector<PlotMarker> markersOf(const std::vector<RunMark>& marks)
{
    std::vector<PlotMarker> markers;
    markers.reserve(marks.size());
    for (const RunMark& mark : marks) {
        markers.push_back(markerOf(mark));
    }
    return markers;
}

} // namespace lockstep::ui
