// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/config.h"
#include "engine/evaluation.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "format/console_format.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace lockstep::train {
namespace {

/// What a run folder holds, read once.
struct RunContent
{
    explicit RunContent(const std::filesystem::path& path)
        : folder(path), config(configOfRun(path)),
          checkpoints(listCheckpoints(RunFolder::checkpointsOf(path)))
    {
        const RunStoreReader store(RunFolder::storeFileOf(path));
        values = store.values();
        nextStep = store.nextStep();
        objectives = store.objectives();
        phases = store.phases();
        evaluations = store.evaluations();
        branches = store.branches();
        writer = RunLock::writerOf(path);
        followLights(store);
    }

    std::filesystem::path folder;
    RunConfig config;
    std::vector<CheckpointFile> checkpoints;
    std::map<std::string, std::string> values;
    std::int64_t nextStep = 0;
    /// "finished", "stopped", …; "interrupted" where a run that nobody trains never said that.
    [[nodiscard]] std::string state() const
    {
        const auto stored = values.find(kRunStateFact);
        const std::string text = stored == values.end() ? "unknown" : stored->second;
        return text == toString(RunState::Running) && !writer ? "interrupted" : text;
    }

    std::vector<std::string> objectives;
    std::vector<RunPhase> phases;
    std::vector<EvaluationRecord> evaluations;
    std::vector<RunBranchInfo> branches;
    std::optional<int> writer; ///< process that trains it now
    std::optional<StepRecord> last;
    /// At each tenth of the steps until now; those of runs of other programs know no chance.
    std::vector<std::pair<std::int64_t, std::array<Verdict, 3>>> lights;

private:
    void followLights(const RunStoreReader& store)
    {
        RunVerdicts verdicts(
            config.alerts, static_cast<std::size_t>(config.towers), chanceOf(store, config.model),
            values.contains(kRecordedByFact));
        // Not of each layer: of a long run that would be gigabytes.
        std::vector<GradientAgreement> agreements;
        store.forEachGradient([&](const GradientRecord& record) {
            agreements.push_back({record.step, gradientAgreement(record).whole, {}});
        });
        auto agreement = agreements.begin();
        const std::int64_t tenth = std::max<std::int64_t>(1, nextStep / 10);
        store.forEachStep([&](const StepRecord& record) {
            if (std::ranges::none_of(record.towers, isMissing)) {
                verdicts.take(record);
            }
            for (; agreement != agreements.end() && agreement->step <= record.step; ++agreement) {
                verdicts.take(*agreement);
            }
            if ((record.step + 1) % tenth == 0 || record.step + 1 == nextStep) {
                lights.push_back(
                    {record.step + 1, {verdicts.learning(), verdicts.data(), verdicts.pace()}});
            }
            last = record;
        });
    }
};

Json toJson(const Verdict& verdict)
{
    constexpr std::array kLights{"unknown", "green", "amber", "red"};
    return {
        {"light", kLights[static_cast<std::size_t>(verdict.light)]},
        {"tower", verdict.tower < 0 ? Json() : Json(verdict.tower)},
        {"since", verdict.since},
        {"text", verdict.text}};
}

Json toJson(const RunContent& run)
{
    Json evaluations = Json::array();
    for (const EvaluationRecord& record : run.evaluations) {
        evaluations.push_back(train::toJson(record, run.objectives));
    }
    Json branches = Json::array();
    for (const RunBranchInfo& branch : run.branches) {
        branches.push_back(
            {{"branch", branch.id},
             {"parent", branch.parent ? Json(*branch.parent) : Json()},
             {"from_step", branch.fromStep},
             {"towers", branch.towers},
             {"batch_per_tower", branch.batchPerTower}});
    }
    Json phases = Json::array();
    for (const RunPhase& phase : run.phases) {
        phases.push_back(
            {{"first_step", phase.firstStep},
             {"end_step", phase.endStep},
             {"objective", phase.objective},
             {"learning_rate", orNull(phase.learningRate)},
             {"frozen", phase.frozen}});
    }
    Json checkpoints = Json::array();
    for (const CheckpointFile& file : run.checkpoints) {
        checkpoints.push_back(
            {{"step", file.step}, {"file", file.path.string()}, {"pinned", file.isPinned}});
    }
    Json lights = Json::array();
    for (const auto& [step, verdicts] : run.lights) {
        lights.push_back(
            {{"step", step},
             {"learning", toJson(verdicts[0])},
             {"data", toJson(verdicts[1])},
             {"pace", toJson(verdicts[2])}});
    }
    return {
        {"run", run.folder.string()},
        {"configuration", train::toJson(run.config)},
        {"facts", run.values},
        {"state", run.state()},
        {"steps", run.nextStep},
        {"branches", branches},
        {"objectives", run.objectives},
        {"phases", phases},
        {"last_step", run.last ? train::toJson(*run.last, run.objectives) : Json()},
        {"lights", lights},
        {"evaluations", evaluations},
        {"checkpoints", checkpoints}};
}

void print(Console& console, const RunContent& run)
{
    console.result(fmt::format(
        "run {}: {}{}, {} of {} steps", run.folder.string(), run.state(),
        run.writer ? fmt::format(" (process {})", *run.writer) : "", run.nextStep,
        run.config.steps));
    for (const RunBranchInfo& branch : run.branches) {
        if (branch.parent) {
            console.result(fmt::format(
                "branch {}: goes on from step {} of branch {}, {} towers × {}", branch.id,
                branch.fromStep, *branch.parent, branch.towers, branch.batchPerTower));
        }
    }
    for (const ConfigKey& key : configKeys(run.config)) {
        if (!key.value.empty()) {
            console.result(fmt::format("  {} = {}", key.name, key.value));
        }
    }
    if (const auto initial = run.values.find(kInitialWeightsFact); initial != run.values.end()) {
        console.result("began with " + initial->second);
    }
    if (const auto account = run.values.find(kDataAccountFact); account != run.values.end()) {
        std::istringstream lines(account->second);
        for (std::string line; std::getline(lines, line);) {
            console.result("data: " + line);
        }
    }
    if (run.last) {
        console.result(fmt::format(
            "last step {}: loss {:.4f}{}, {:.1f} examples/s, {} of training", run.last->step,
            run.last->lossMean,
            std::isnan(run.last->weightDecayLoss)
                ? ""
                : fmt::format(", cross-entropy {:.4f}", crossEntropy(*run.last)),
            run.last->examplesPerSecond, durationText(run.last->wallSeconds)));
    }
    if (!run.lights.empty()) {
        const auto& [learning, data, pace] = run.lights.back().second;
        for (const std::string& line : verdictLines(learning, data, pace)) {
            console.result(line);
        }
    }
    for (const EvaluationRecord& record : run.evaluations) {
        console.result(evaluationLine(record));
    }
    for (const CheckpointFile& file : run.checkpoints) {
        console.result(fmt::format(
            "checkpoint of step {}: {}{}", file.step, file.path.string(),
            file.isPinned ? " (pinned)" : ""));
    }
}

Json toJson(const LoadedCheckpoint& loaded)
{
    const Checkpoint& checkpoint = loaded.checkpoint;
    Json names = Json::array();
    for (const NamedTensor& tensor : checkpoint.weights) {
        names.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
    }
    Json slots = Json::array();
    for (const auto& [slot, tensors] : checkpoint.optimizerState) {
        slots.push_back(slot);
    }
    return {
        {"checkpoint", loaded.file.path.string()},
        {"step", checkpoint.step},
        {"examples_seen", checkpoint.examplesSeen},
        {"model", checkpoint.model},
        {"seed", checkpoint.seed},
        {"towers", checkpoint.towers},
        {"threads_per_tower", checkpoint.threadsPerTower},
        {"tensors", checkpoint.weights.size()},
        {"has_moving_averages", !checkpoint.movingAverages.empty()},
        {"optimizer_slots", slots},
        {"parameter_tensors", names},
        {"notes", checkpoint.notes},
        {"configuration", checkpoint.configuration}};
}

/// " and the optimizer's mean_square, momentum".
std::string slotsText(const Checkpoint& checkpoint)
{
    std::string text;
    for (const auto& [slot, tensors] : checkpoint.optimizerState) {
        text += fmt::format("{}{}", text.empty() ? " and the optimizer's " : ", ", slot);
    }
    return text;
}

/// Of a list the first line, as --json has all.
std::string noteText(const std::string& note)
{
    const auto lines = std::ranges::count(note, '\n');
    const std::string first = note.substr(0, note.find('\n'));
    return lines < 2 ? first : fmt::format("{} and {} more", first, lines - 1);
}

void print(Console& console, const LoadedCheckpoint& loaded)
{
    const Checkpoint& checkpoint = loaded.checkpoint;
    console.result(fmt::format(
        "checkpoint {}: whole, step {}, {} examples seen", loaded.file.path.string(),
        checkpoint.step, checkpoint.examplesSeen));
    console.result(fmt::format(
        "model {}, {} tensors{}{}, seed {}, {} tower{} × {} thread{}", checkpoint.model,
        checkpoint.weights.size(),
        checkpoint.movingAverages.empty() ? "" : " and their moving averages",
        slotsText(checkpoint), checkpoint.seed, checkpoint.towers,
        checkpoint.towers == 1 ? "" : "s", checkpoint.threadsPerTower,
        checkpoint.threadsPerTower == 1 ? "" : "s"));
    for (const auto& [key, value] : checkpoint.notes) {
        console.result(fmt::format("  {}: {}", key, noteText(value)));
    }
    for (const NamedTensor& tensor : checkpoint.weights) {
        console.result(fmt::format("{:<24} [{}]", tensor.name, fmt::join(tensor.shape, ", ")));
    }
}

template<class Content>
void show(Console& console, const Content& content, bool isJson)
{
    if (isJson) {
        console.result(lineOf(toJson(content)));
    } else {
        print(console, content);
    }
}

} // namespace

void inspectCheckpoint(Console& console, const std::filesystem::path& file, bool isJson)
{
    const auto note = [&](const std::string& text) { console.note(text); };
    show(console, openCheckpoint(file, note), isJson);
}

void inspectRun(Console& console, const std::filesystem::path& folder, bool isJson)
{
    show(console, RunContent(folder), isJson);
}

} // namespace lockstep::train
