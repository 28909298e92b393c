// SPDX-License-Identifier: Apache-2.0
#include "storage/csv_export.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <ostream>
#include <string_view>

namespace lockstep {
namespace {

std::string headerLine(int towers)
{
    std::string line = "step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last";
    for (int tower = 0; tower < towers; ++tower) {
        line += fmt::format(",loss_tower_{}", tower);
    }
    return line + ",examples_per_second,seconds_per_batch\n";
}

// fmt writes a double as "{}" in the shortest form that reads back as the same bits.
void appendRow(fmt::memory_buffer& line, const StepRecord& record, std::size_t towers)
{
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
    fmt::format_to(end, ",{},{}\n", record.examplesPerSecond, record.secondsPerBatch);
}

/// Hands out the lines one after the other.
void writeLines(const RunStoreReader& store, const std::function<void(std::string_view)>& write)
{
    const int towers = store.towers();
    write(headerLine(towers));
    fmt::memory_buffer line;
    store.forEachStep([&](const StepRecord& record) {
        line.clear();
        appendRow(line, record, static_cast<std::size_t>(towers));
        write({line.data(), line.size()});
    });
}

void check(const std::ostream& out)
{
    if (!out) {
        fail(ErrorCode::Io, "the CSV output can't be written; is the disk full?");
    }
}

} // namespace

void exportCsv(const RunStoreReader& store, std::ostream& out)
{
    writeLines(store, [&](std::string_view line) {
        out.write(line.data(), static_cast<std::streamsize>(line.size()));
        check(out);
    });
    out.flush();
    check(out);
}

void exportCsv(const RunStoreReader& store, const std::filesystem::path& file)
{
    constexpr std::size_t kAtOnce = 1 << 16; // bytes; AtomicFile does not buffer
    AtomicFile target(file);
    std::string lines;
    writeLines(store, [&](std::string_view line) {
        lines += line;
        if (lines.size() >= kAtOnce) {
            target.write(lines);
            lines.clear();
        }
    });
    target.write(lines);
    target.commit();
}

} // namespace lockstep
