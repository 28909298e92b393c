// SPDX-License-Identifier: Apache-2.0
#include "session/gather/log_sources.h"

#include "base/error.h"
#include "dataset/files/csv_fields.h"
#include "storage/events/event_file_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// What a rank logged at once, by name, and when.
struct LoggedPoint
{
    double time = 0.0; ///< seconds; 0: not known
    std::map<std::string, double> values;
};

struct RankLog
{
    std::string name;
    std::map<std::int64_t, LoggedPoint> points; ///< by step
};

constexpr std::array kPhases{"data", "forward", "backward", "averaging", "update"};

/// A number that may be anything, as a count or in nanoseconds.
std::int64_t wholeOf(double number)
{
    constexpr double kMost = 2e18;
    return std::isnan(number) ? kNotTold : std::llround(std::clamp(number, -1.0, kMost));
}

class LogSource final : public RankSource
{
public:
    LogSource(std::string name, std::vector<RankFrame> frames)
        : m_name(std::move(name)), m_frames(std::move(frames))
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }
    [[nodiscard]] int namedRank() const override { return -1; }
    std::optional<RankFrame> next() override
    {
        return m_next < m_frames.size() ? std::optional(m_frames[m_next++]) : std::nullopt;
    }
    std::vector<std::string> takeDamage(bool /*isLast*/) override { return {}; }

private:
    std::string m_name;
    std::vector<RankFrame> m_frames;
    std::size_t m_next = 0;
};

std::string lowered(std::string text)
{
    std::ranges::transform(
        text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::set<std::string> namesIn(const std::vector<RankLog>& logs)
{
    std::set<std::string> names;
    for (const RankLog& log : logs) {
        for (const auto& [step, point] : log.points) {
            for (const auto& [name, value] : point.values) {
                names.insert(name);
            }
        }
    }
    return names;
}

/// Of a training's loss: the shortest name with that word that is of no test.
std::string lossName(const std::vector<RankLog>& logs, const std::string& wanted)
{
    const std::set<std::string> names = namesIn(logs);
    if (names.contains(wanted)) {
        return wanted;
    }
    std::string best;
    for (const std::string& name : names) {
        const std::string text = lowered(name);
        const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
        const bool isLoss = has("loss") && !has("val") && !has("test");
        if (wanted.empty() && isLoss && (best.empty() || name.size() < best.size())) {
            best = name;
        }
    }
    if (best.empty()) {
        fail(
            ErrorCode::BadInput, "{}: no loss '{}'; name one with --loss: {}", logs.front().name,
            wanted.empty() ? "loss" : wanted, fmt::join(names, ", "));
    }
    return best;
}

std::string rateName(const std::vector<RankLog>& logs)
{
    for (const std::string& name : namesIn(logs)) {
        const std::string text = lowered(name);
        if (text == "lr" || text.starts_with("lr-") || text.ends_with("/lr")
            || text.find("learning_rate") != std::string::npos) {
            return name;
        }
    }
    return {};
}

/// The step of each row, as it is counted from then on.
struct Rows
{
    std::map<std::int64_t, std::int64_t> ofStep;
    std::string note; ///< where rows are no steps
};

Rows rowsOf(const std::vector<RankLog>& logs)
{
    Rows rows;
    std::set<std::int64_t> steps;
    for (const RankLog& log : logs) {
        for (const auto& [step, point] : log.points) {
            steps.insert(step);
        }
    }
    const bool isEvery =
        steps.empty()
        || *steps.rbegin() - *steps.begin() == static_cast<std::int64_t>(steps.size()) - 1;
    std::int64_t row = isEvery && !steps.empty() ? *steps.begin() : 0;
    for (const std::int64_t step : steps) {
        rows.ofStep[step] = row++;
    }
    if (!isEvery) {
        rows.note = fmt::format(
            "not every step was logged: the steps shown are the {} that were, from {} to {}",
            steps.size(), *steps.begin(), *steps.rbegin());
    }
    return rows;
}

/// Phases by their lengths, up to the end.
void fillTimes(RankStep& step, const LoggedPoint& point, std::int64_t end)
{
    step.end = end;
    std::int64_t time = end;
    const std::array<std::int64_t*, kPhases.size()> begins{
        &step.begin, &step.forward, &step.backward, &step.arrival, &step.done};
    for (std::size_t phase = kPhases.size(); phase > 0; --phase) {
        const auto found = point.values.find(kPhases[phase - 1]);
        if (found == point.values.end() || !(found->second >= 0.0)) {
            if (phase > 3) { // of those after the backward pass less need be known
                *begins[phase - 1] = time;
                continue;
            }
            step.begin = step.forward = step.backward = step.arrival = step.done = kNotTold;
            return;
        }
        time -= wholeOf(1e9 * found->second);
        *begins[phase - 1] = time;
    }
}

RankSources sourcesOf(
    const std::vector<RankLog>& logs, const std::string& recorder, const std::string& wantedLoss)
{
    const std::string loss = lossName(logs, wantedLoss);
    const std::string rate = rateName(logs);
    const Rows rows = rowsOf(logs);
    RankSources sources;
    for (const RankLog& log : logs) {
        RankStart start;
        start.rank = static_cast<int>(sources.size());
        start.ranks = static_cast<int>(logs.size());
        start.host = log.name;
        std::ranges::replace(start.host, ' ', '_'); // part of the name of a place
        start.clock = "log";
        start.recorder = recorder;
        std::vector<RankFrame> frames{start};
        if (!rows.note.empty() && sources.empty()) {
            frames.emplace_back(RankEvent{"info", rows.note});
        }
        for (const auto& each : log.points) {
            const LoggedPoint& point = each.second;
            const auto valueOf = [&](const std::string& name) {
                const auto found = point.values.find(name);
                return found == point.values.end() ? std::nullopt : std::optional(found->second);
            };
            RankStep step;
            step.step = rows.ofStep.at(each.first);
            if (point.time > 0.0) {
                fillTimes(step, point, wholeOf(1e9 * point.time));
            }
            step.loss = valueOf(loss);
            step.learningRate = valueOf(rate).value_or(step.learningRate);
            step.examples = wholeOf(valueOf("examples").value_or(kNotTold));
            step.correct = wholeOf(valueOf("correct").value_or(kNotTold));
            frames.emplace_back(step);
        }
        frames.emplace_back(RankEnd());
        sources.push_back(std::make_unique<LogSource>(log.name, std::move(frames)));
    }
    return sources;
}

/// A number, or empty for an empty field.
std::optional<double> numberOf(const std::string& text, const fs::path& file, std::size_t line)
{
    if (text.empty()) {
        return std::nullopt;
    }
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) {
        fail(ErrorCode::BadInput, "{}:{}: '{}' is no number", file.string(), line, text);
    }
    return value;
}

/// Adds a table's lines to the logs of the ranks that they are of: `rank` where it has no such
/// column.
void readTable(const fs::path& file, std::int64_t rank, std::map<std::int64_t, RankLog>& logs)
{
    std::ifstream stream(file);
    std::string line;
    if (!stream || !std::getline(stream, line)) {
        fail(ErrorCode::BadInput, "{}: can't read a line of names{}", file.string(), errnoText());
    }
    const auto separator = line.find_first_of(kCsvSeparators);
    const char between = separator == std::string::npos ? ',' : line[separator];
    const auto withoutReturn = [](std::string text) {
        text.erase(text.find_last_not_of('\r') + 1);
        return text;
    };
    const std::vector<std::string> names = csvFields(withoutReturn(line), between);
    for (std::size_t number = 2; std::getline(stream, line); ++number) {
        const std::vector<std::string> fields = csvFields(withoutReturn(line), between);
        if (fields.size() == 1 && fields.front().empty()) {
            continue;
        }
        if (fields.size() != names.size()) {
            fail(
                ErrorCode::BadInput, "{}:{}: {} fields, where the first line has {}", file.string(),
                number, fields.size(), names.size());
        }
        LoggedPoint point;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (const auto value = numberOf(fields[i], file, number)) {
                point.values[lowered(names[i])] = *value;
            }
        }
        const auto take = [&](const char* name, double otherwise) {
            const auto found = point.values.extract(name);
            return found.empty() ? otherwise : found.mapped();
        };
        RankLog& log = logs[wholeOf(take("rank", static_cast<double>(rank)))];
        log.name = file.stem().string();
        point.time = take("time", 0.0);
        const std::int64_t step = wholeOf(take("step", static_cast<double>(log.points.size())));
        if (step < 0) {
            fail(ErrorCode::BadInput, "{}:{}: a step below 0", file.string(), number);
        }
        log.points[step] = std::move(point);
    }
}

} // namespace

RankSources eventFileSources(const std::vector<fs::path>& folders, const std::string& loss)
{
    std::vector<RankLog> logs;
    for (const fs::path& folder : folders) {
        if (listEventFiles(folder).empty()) {
            fail(ErrorCode::BadInput, "{}: no event files there", folder.string());
        }
        RankLog& log = logs.emplace_back();
        log.name = folder.filename().empty() ? folder.parent_path().filename().string()
                                             : folder.filename().string();
        forEachCurrentEvent(folder, [&](const EventRecord& record) {
            if (record.step < 0) {
                return;
            }
            for (const EventValue& value : record.values) {
                if (const auto* const number = std::get_if<double>(&value.value)) {
                    LoggedPoint& point = log.points[record.step];
                    point.time = record.time;
                    point.values[value.tag] = *number;
                }
            }
        });
    }
    return sourcesOf(logs, "TensorBoard event files", loss);
}

RankSources tableSources(const std::vector<fs::path>& files, const std::string& loss)
{
    std::map<std::int64_t, RankLog> byRank;
    for (std::size_t i = 0; i < files.size(); ++i) {
        readTable(files[i], static_cast<std::int64_t>(i), byRank);
    }
    std::vector<RankLog> logs;
    for (auto& [rank, log] : byRank) {
        if (rank != static_cast<std::int64_t>(logs.size())) {
            fail(
                ErrorCode::BadInput, "{}: ranks are counted from 0, and none is missing: {} is",
                files.front().string(), logs.size());
        }
        logs.push_back(std::move(log));
    }
    if (logs.empty()) {
        fail(ErrorCode::BadInput, "{}: no line but the names", files.front().string());
    }
    return sourcesOf(logs, "CSV", lowered(loss));
}

} // namespace lockstep
