// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {
struct DetectionScores;
struct EvaluationRecord;
struct FilePrediction;
struct ImageScore;
struct PreflightRecord;
struct RunConfig;
struct StepRecord;
class Throughput;
struct Verdict;
} // namespace lockstep

namespace lockstep::train {

/// The classic line of a step, with the mean loss of all towers and the last tower's beside it:
/// `2016-07-01 12:00:00.123456: step 10, loss = 4.66 (812.3 examples/sec; 0.158 sec/batch)  last
/// tower 4.65`. sec/batch is the time per tower batch: step seconds / towers.
std::string classicLine(std::chrono::system_clock::time_point time, const StepRecord& record);

/// `evaluation at step 3000, average weights: accuracy 0.7412, top-5 0.9823, loss 0.7805, 10000
/// examples, 3.1 s`; top-5 of more than five classes.
std::string evaluationLine(const EvaluationRecord& record);

/// `AP 0.9531; best F1 0.9412 at 0.3120: 1 false positive, 2 false negatives; 3 false positives at
/// full recall (0.0913); mask peaks inside the label in 24 of 26 true positives`.
std::string detectionText(const DetectionScores& scores);
/// `0.9134 defective  kos01/Part5  mask peak 0.87 at 12, 7, inside the label`.
std::string imageLine(const ImageScore& image);
/// `0.9134  part.png  mask peak 0.87 at 12, 7 of 176 x 64 cells`: of an image without a label; of
/// a network that classifies `part.png  cat 0.9134  dog 0.0512  …`, the five likeliest classes.
std::string triedImageLine(const FilePrediction& of);

/// `check: free space   passed   812.0 MB free in …`.
std::string preflightLine(const PreflightRecord& record);

/// `step 120 of 3000 (4 %), loss 4.11, 812 examples/s, 0:07:32 left`; rate and time by the
/// throughput, as far as it is known; evaluations by the latest, 0 where none was made.
std::string progressLine(
    const StepRecord& record, const RunConfig& config, const Throughput& throughput,
    double evaluationSeconds);
/// `812 examples/s`, `0.7 examples/s`.
std::string throughputText(double examplesPerSecond);

/// `[=====>    ] 52 %  what`.
std::string progressBar(double share, const std::string& what);

/// The three lights of a run, a line each: `learning: 45 % of the training batches right …`.
std::vector<std::string> verdictLines(
    const Verdict& learning, const Verdict& data, const Verdict& pace);

/// 3725.2 -> "1:02:05".
std::string durationText(double seconds);

/// 170052171 -> "162.2 MiB".
std::string bytesText(std::int64_t bytes);

} // namespace lockstep::train
