// SPDX-License-Identifier: Apache-2.0
#include "storage/store/csv_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {
namespace {

/// In the order of their columns.
constexpr std::array kTowerPhases{"start", "copy", "forward", "backward"};
constexpr std::array kTowerSeconds{
    &TowerRecord::startSeconds, &TowerRecord::copySeconds, &TowerRecord::forwardSeconds,
    &TowerRecord::backwardSeconds};

/// What the columns of a file are for.
struct CsvColumns
{
    CsvLines lines = CsvLines::Lineage;
    int towers = 0;
    std::vector<std::string> objectives; ///< none where the network has only one
};

std::string headerLine(const CsvColumns& columns)
{
    const int towers = columns.towers;
    std::string line = columns.lines == CsvLines::AllBranches ? "branch," : "";
    line += "step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last";
    for (int tower = 0; tower < towers; ++tower) {
        line += fmt::format(",loss_tower_{}", tower);
    }
    line += ",train_accuracy,examples_per_second,seconds_per_batch,step_seconds,input_seconds,"
            "compute_seconds,"
            "averaging_seconds,update_seconds";
    for (const char* phase : kTowerPhases) {
        for (int tower = 0; tower < towers; ++tower) {
            line += fmt::format(",{}_seconds_tower_{}", phase, tower);
        }
    }
    line += ",weight_decay_loss,cross_entropy_mean";
    for (int tower = 0; tower < towers; ++tower) {
        line += fmt::format(",cross_entropy_tower_{}", tower);
    }
    for (const std::string& objective : columns.objectives) {
        line += fmt::format(",{}_loss_mean", objective);
        for (int tower = 0; tower < towers; ++tower) {
            line += fmt::format(",{}_loss_tower_{}", objective, tower);
        }
    }
    return line + '\n';
}

void appendKnown(fmt::memory_buffer& line, const std::optional<double>& value)
{
    line.push_back(',');
    if (value) {
        fmt::format_to(std::back_inserter(line), "{}", *value);
    }
}

/// Negative: not known.
void appendSeconds(fmt::memory_buffer& line, double seconds)
{
    appendKnown(line, seconds >= 0.0 ? std::optional(seconds) : std::nullopt);
}

// fmt writes a double as "{}" in the shortest form that reads back as the same bits.
void appendRow(fmt::memory_buffer& line, const StepRecord& record, const CsvColumns& columns)
{
    const auto towers = static_cast<std::size_t>(columns.towers);
    require(record.towers.size() <= towers, "a step with more towers than its branch");
    const auto end = std::back_inserter(line);
    fmt::format_to(
        end, "{},{},{},{},{},{},{}", record.step, record.wallSeconds, record.examples, record.epoch,
        record.learningRate, record.lossMean, record.lossLast);
    for (const auto& tower : record.towers) {
        fmt::format_to(end, ",{}", tower.loss);
    }
    for (std::size_t missing = record.towers.size(); missing < towers; ++missing) {
        line.push_back(',');
    }
    appendKnown(line, trainAccuracy(record));
    fmt::format_to(end, ",{},{}", record.examplesPerSecond, record.secondsPerBatch);
    for (const double seconds :
         {record.stepSeconds, record.inputSeconds, record.computeSeconds, record.averagingSeconds,
          record.updateSeconds}) {
        appendSeconds(line, seconds);
    }
    for (const auto seconds : kTowerSeconds) {
        for (std::size_t tower = 0; tower < towers; ++tower) {
            appendSeconds(
                line, tower < record.towers.size() ? record.towers[tower].*seconds : -1.0);
        }
    }
    const bool isDecayKnown = !std::isnan(record.weightDecayLoss);
    const auto append = [&](double loss) {
        appendKnown(line, isDecayKnown ? std::optional(loss) : std::nullopt);
    };
    append(record.weightDecayLoss);
    append(crossEntropy(record));
    for (std::size_t tower = 0; tower < towers; ++tower) {
        if (tower < record.towers.size()) {
            append(crossEntropy(record, record.towers[tower]));
        } else {
            line.push_back(',');
        }
    }
    const ObjectiveLosses means = meanObjectives(record);
    for (std::size_t objective = 0; objective < columns.objectives.size(); ++objective) {
        fmt::format_to(end, ",{}", means[objective]);
        for (std::size_t tower = 0; tower < towers; ++tower) {
            line.push_back(',');
            if (tower < record.towers.size()) {
                fmt::format_to(end, "{}", record.towers[tower].objectives[objective]);
            }
        }
    }
    line.push_back('\n');
}

/// A loss of its own has every one of several.
std::vector<std::string> objectivesWithLosses(const RunStoreReader& store)
{
    std::vector<std::string> names = store.objectives();
    return names.size() > 1 ? names : std::vector<std::string>();
}

void writeLineage(const RunStoreReader& store, const WriteLines& write)
{
    const CsvColumns columns{CsvLines::Lineage, store.towers(), objectivesWithLosses(store)};
    write(headerLine(columns));
    fmt::memory_buffer line;
    store.forEachStep([&](const StepRecord& record) {
        line.clear();
        appendRow(line, record, columns);
        write({line.data(), line.size()});
    });
}

void writeAllBranches(const RunStoreReader& store, const WriteLines& write)
{
    CsvColumns columns{CsvLines::AllBranches, 0, objectivesWithLosses(store)};
    for (const RunBranchInfo& branch : store.branches()) {
        columns.towers = std::max(columns.towers, branch.towers);
    }
    write(headerLine(columns));
    fmt::memory_buffer line;
    store.forEachBranchStep([&](std::int64_t branch, const StepRecord& record) {
        line.clear();
        fmt::format_to(std::back_inserter(line), "{},", branch);
        appendRow(line, record, columns);
        write({line.data(), line.size()});
    });
}

/// One row for the evaluation of each kind of weights.
void appendRow(fmt::memory_buffer& line, const EvaluationRecord& record, std::size_t objectives)
{
    fmt::format_to(
        std::back_inserter(line), "{},{},{},{},{}", record.step, toString(record.weights),
        record.examples, record.correct, record.accuracy);
    appendKnown(line, record.inTopFive ? std::optional(record.topFive()) : std::nullopt);
    const auto& found = record.detection;
    appendKnown(line, found ? std::optional(found->averagePrecision) : std::nullopt);
    appendKnown(line, record.loss);
    for (std::size_t objective = 0; objective < objectives; ++objective) {
        appendKnown(line, record.objectives[objective]);
    }
    appendSeconds(line, record.seconds);
    line.push_back('\n');
}

void writeEvaluations(const RunStoreReader& store, const WriteLines& write)
{
    const std::vector<std::string> objectives = objectivesWithLosses(store);
    std::string header = "step,weights,examples,correct,accuracy,top5,average_precision,loss";
    for (const std::string& objective : objectives) {
        header += fmt::format(",{}_loss", objective);
    }
    write(header + ",seconds\n");
    fmt::memory_buffer line;
    for (const EvaluationRecord& record : store.evaluations()) {
        line.clear();
        appendRow(line, record, objectives.size());
        write({line.data(), line.size()});
    }
}

} // namespace

CsvText stepsAsCsv(const RunStoreReader& store, CsvLines lines)
{
    const auto writeSteps = lines == CsvLines::AllBranches ? writeAllBranches : writeLineage;
    return [&store, writeSteps](const WriteLines& write) { writeSteps(store, write); };
}

CsvText evaluationsAsCsv(const RunStoreReader& store)
{
    return [&store](const WriteLines& write) { writeEvaluations(store, write); };
}

} // namespace lockstep
