// SPDX-License-Identifier: Apache-2.0
#include "format/console_format.h"

#include "engine/bench.h"
#include "engine/evaluation.h"
#include "engine/records.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::train {

std::string classicLine(std::chrono::system_clock::time_point time, const StepRecord& record)
{
    using std::chrono::microseconds;
    constexpr std::int64_t kPerSecond = 1'000'000;
    const auto count = std::chrono::duration_cast<microseconds>(time.time_since_epoch()).count();
    return fmt::format(
        "{:%Y-%m-%d %H:%M:%S}.{:06}: step {}, loss = {:.2f} ({:.1f} examples/sec; {:.3f} "
        "sec/batch)  last tower {:.2f}",
        fmt::localtime(static_cast<std::time_t>(count / kPerSecond)), count % kPerSecond,
        record.step, record.lossMean, record.examplesPerSecond, record.secondsPerBatch,
        record.lossLast);
}

std::string evaluationLine(const EvaluationRecord& record)
{
    return fmt::format(
               "evaluation at step {}, {} weights: accuracy {:.4f}{}, loss {:.4f}, {} examples, "
               "{:.1f} s",
               record.step, toString(record.weights), record.accuracy,
               record.inTopFive ? fmt::format(", top-5 {:.4f}", record.topFive()) : "", record.loss,
               record.examples, record.seconds)
           + (record.detection ? "; " + detectionText(*record.detection) : "");
}

std::string detectionText(const DetectionScores& scores)
{
    const auto counted = [](std::int64_t count, const char* what) {
        return fmt::format("{} false {}{}", count, what, count == 1 ? "" : "s");
    };
    return fmt::format(
        "AP {:.4f}; best F1 {:.4f} at {:.4f}: {}, {}; {} at full recall ({:.4f}); mask peaks "
        "inside "
        "the label in {} of {} true positives",
        scores.averagePrecision, scores.best.f1(), scores.best.threshold,
        counted(scores.best.falsePositives, "positive"),
        counted(scores.best.falseNegatives, "negative"),
        counted(scores.fullRecall.falsePositives, "positive"), scores.fullRecall.threshold,
        scores.peaksInside, scores.best.truePositives);
}

std::string imageLine(const ImageScore& image)
{
    return fmt::format(
        "{:.4f} {:<9}  {}  mask peak {:.2f} at {}, {}, {} the label", image.score,
        image.isPositive ? "defective" : "clean", image.name, image.peak, image.peakRow,
        image.peakColumn, image.isPeakInside ? "inside" : "outside");
}

std::string triedImageLine(const FilePrediction& of)
{
    if (of.classes.empty()) {
        return fmt::format(
            "{:.4f}  {}  mask peak {:.2f} at {}, {} of {} × {} cells", of.score.score,
            of.file.string(), of.score.peak, of.score.peakRow, of.score.peakColumn,
            of.maskShape.height, of.maskShape.width);
    }
    std::string line = of.file.string();
    for (const ClassProbability& one : of.classes) {
        line += fmt::format("  {} {:.4f}", one.name, one.probability);
    }
    return line;
}

std::string preflightLine(const PreflightRecord& record)
{
    return fmt::format("check: {:<10} {:<7} {}", record.name, toString(record.result), record.text);
}

std::vector<std::string> verdictLines(
    const Verdict& learning, const Verdict& data, const Verdict& pace)
{
    return {"learning: " + learning.text, "data: " + data.text, "pace: " + pace.text};
}

std::string progressLine(
    const StepRecord& record, const RunConfig& config, const Throughput& throughput,
    double evaluationSeconds)
{
    const std::int64_t done = record.step + 1;
    const auto rate = throughput.rate();
    const auto secondsLeft =
        secondsUntil(config, done, config.steps, throughput, evaluationSeconds);
    return fmt::format(
        "step {} of {} ({} %), loss {:.2f}{}{}", done, config.steps, 100 * done / config.steps,
        record.lossMean, rate ? ", " + throughputText(*rate) : "",
        secondsLeft ? fmt::format(", {} left", durationText(*secondsLeft)) : "");
}

std::string throughputText(double examplesPerSecond)
{
    constexpr double kFew = 9.95; // below, the digit after the point counts
    constexpr double kFewest = 0.1;
    return examplesPerSecond >= kFew      ? fmt::format("{:.0f} examples/s", examplesPerSecond)
           : examplesPerSecond >= kFewest ? fmt::format("{:.1f} examples/s", examplesPerSecond)
                                          : fmt::format("{:.1g} examples/s", examplesPerSecond);
}

std::string progressBar(double share, const std::string& what)
{
    constexpr int kWidth = 30;
    const double clamped = std::clamp(share, 0.0, 1.0);
    const int filled = static_cast<int>(std::lround(clamped * kWidth));
    return fmt::format(
        "[{:=<{}}{: <{}}] {:3.0f} %  {}", "", filled, "", kWidth - filled, 100.0 * clamped, what);
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::lround(std::max(0.0, seconds)));
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bytesText(std::int64_t bytes)
{
    constexpr double kStep = 1024.0;
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= kStep && unit + 1 < kUnits.size()) {
        value /= kStep;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes)
                     : fmt::format("{:.1f} {}", value, kUnits.at(unit));
}

} // namespace lockstep::train
