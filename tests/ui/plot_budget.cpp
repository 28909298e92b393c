// SPDX-License-Identifier: GPL-3.0-or-later
// plot_budget [--steps n] [--series n] [--frames n] [--json]: how long a frame of the loss chart
// takes at 1600 x 900 while it zooms and 5,000 steps/s arrive, with towers, mean, smoothing,
// markers, checkpoints and outliers off scale, and what the store costs. Needs no screen.
#include "plots/charts/loss_plot.h"
#include "ui/synthetic_run.h"

#include <QtWidgets>

#include <malloc.h>

#include <algorithm>
#include <cmath>

using namespace lockstep::ui;

namespace {

constexpr int kStepsPerFrame = 84; // 5,000 a second at 60 frames a second
/// Over the whole run; each kind of marker has its share.
constexpr int kMarkers = 400;
constexpr int kPins = 100;
constexpr int kSpikes = 3;

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// In and out once over 60 frames, following the middle of the run.
void zoom(XRange& range, double steps, int frame)
{
    const double share = 0.515 + 0.485 * std::cos(frame * 6.2831853 / 60.0);
    const double middle = steps * (0.5 + 0.3 * std::sin(frame * 0.1) * (1.0 - share));
    range.zoomTo(middle - 0.5 * share * steps, middle + 0.5 * share * steps);
}

std::vector<double> frameTimes(SyntheticRun& run, XRange& range, LossPlot& plot, int frames)
{
    std::vector<double> times;
    for (int frame = 0; frame < frames; ++frame) {
        QElapsedTimer timer;
        timer.start();
        run.append(kStepsPerFrame);
        zoom(range, static_cast<double>(run.series().steps().size()), frame);
        range.dataChanged();
        plot.dataChanged();
        plot.repaint();
        times.push_back(milliseconds(timer));
        QApplication::processEvents();
    }
    return times;
}

std::vector<PlotMarker> markers(qint64 steps)
{
    using Kind = PlotMarker::Kind;
    std::vector<PlotMarker> list;
    for (int i = 0; i < kMarkers; ++i) {
        const Kind kind = i % 100 == 50  ? Kind::Branch
                          : i % 50 == 0  ? Kind::LearningRate
                          : i % 133 == 1 ? Kind::Fault
                                         : Kind::Evaluation;
        list.push_back({kind, steps * i / kMarkers, "marker", {}});
    }
    return list;
}

std::vector<PlotPin> pins(qint64 steps)
{
    std::vector<PlotPin> list;
    for (int i = 1; i <= kPins; ++i) {
        list.push_back({steps * i / kPins, i % 10 == 0, i == 70, "84.0 %", {}});
    }
    return list;
}

/// The values of a few steps lie far off.
void appendWithSpikes(SyntheticRun& run, qint64 steps)
{
    for (int spike = 0; spike < kSpikes; ++spike) {
        run.append(steps / (kSpikes + 1) - 1);
        run.spikeNext(9.0);
        run.append(1);
    }
    run.append(steps - run.series().steps().size());
}

double appendNanoseconds()
{
    constexpr int kValues = 4'000'000;
    Series series(Smoothing::None);
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < kValues; ++i) {
        series.append(static_cast<float>(i & 1023));
    }
    return static_cast<double>(timer.nsecsElapsed()) / kValues;
}

double smoothingMilliseconds(RunSeries& run, double weight)
{
    QElapsedTimer timer;
    timer.start();
    run.setSmoothing(weight);
    return milliseconds(timer);
}

double hoverMilliseconds(XRange& range, LossPlot& plot)
{
    constexpr int kMoves = 50;
    QElapsedTimer timer;
    timer.start();
    for (int move = 0; move < kMoves; ++move) {
        range.crossHair().setAt(range.first() + (range.last() - range.first()) * move / kMoves);
        plot.repaint();
    }
    return milliseconds(timer) / kMoves;
}

/// Other runs of as many steps, in 2,000 stretches each.
std::vector<OverlaySeries> otherRuns(int count, qint64 steps)
{
    constexpr int kNodes = 2000;
    std::vector<OverlaySeries> others(static_cast<std::size_t>(count));
    for (OverlaySeries& other : others) {
        for (int node = 1; node <= kNodes; ++node) {
            const double mean = 1.0 + 3.0 * std::exp(-4.0 * node / kNodes);
            other.append(
                {{steps * node / kNodes, 0.0, 0.0}, steps / kNodes, 0.9 * mean, 1.1 * mean, mean});
        }
    }
    return others;
}

struct Budget
{
    qint64 steps;
    int series;
    int overlays;
    int frames;
    double smoothing;
};

QJsonObject measure(const Budget& budget)
{
    const auto [steps, series, overlays, frames, smoothing] = budget;
    const std::size_t before = mallinfo2().uordblks;
    SyntheticRun run(series - 1, 128); // and the mean
    appendWithSpikes(run, steps);
    const std::size_t storeBytes = mallinfo2().uordblks - before;
    XRange range;
    LossPlot plot(range);
    plot.resize(1600, 900);
    plot.setRun(&run.series());
    range.setTimeline(&run.series().steps().timeline());
    const std::vector<OverlaySeries> others = otherRuns(overlays, steps);
    std::vector<PlotOverlay> behind;
    for (const OverlaySeries& other : others) {
        const int color = static_cast<int>(behind.size());
        behind.push_back({QString("run %1").arg(color), color, &other});
    }
    plot.setOverlays(behind);
    MarkerRow markerRow(range);
    markerRow.setMarkers(markers(steps));
    PinRow pinRow(range);
    pinRow.setPins(pins(steps));
    plot.setShared({.pins = &pinRow, .markers = &markerRow});
    plot.show();
    const double smoothingTime = smoothingMilliseconds(run.series(), smoothing);
    frameTimes(run, range, plot, 10);
    const std::vector<double> times = frameTimes(run, range, plot, frames);
    return {
        {"steps", steps},
        {"series", series},
        {"overlays", overlays},
        {"smoothing", smoothing},
        {"median_frame_milliseconds", quantile(times, 0.5)},
        {"p95_frame_milliseconds", quantile(times, 0.95)},
        {"hover_frame_milliseconds", hoverMilliseconds(range, plot)},
        {"smoothing_milliseconds", smoothingTime},
        {"append_nanoseconds", appendNanoseconds()},
        {"store_mebibytes", static_cast<double>(storeBytes) / 1048576.0},
    };
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({
        {"steps", "steps of the run", "n", "1000000"},
        {"series", "curves, the mean included", "n", "8"},
        {"overlays", "other runs behind it", "n", "0"},
        {"frames", "frames measured", "n", "240"},
        {"smoothing", "weight of the smoothing", "w", "0.9"},
        {"json", "one JSON object instead of lines"},
    });
    parser.process(application);
    const QJsonObject result = measure(
        {parser.value("steps").toLongLong(), parser.value("series").toInt(),
         parser.value("overlays").toInt(), parser.value("frames").toInt(),
         parser.value("smoothing").toDouble()});
    QTextStream out(stdout);
    if (parser.isSet("json")) {
        out << QJsonDocument(result).toJson(QJsonDocument::Compact) << '\n';
        return 0;
    }
    for (auto entry = result.begin(); entry != result.end(); ++entry) {
        out << entry.key() << ' ' << entry->toDouble() << '\n';
    }
    return 0;
}
