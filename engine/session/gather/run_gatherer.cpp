// SPDX-License-Identifier: Apache-2.0
#include "session/gather/run_gatherer.h"

#include "base/clock.h"
#include "base/error.h"
#include "storage/rows/step_row_reader.h"
#include "storage/store/run_store_reader.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

/// Begins the run.toml of a run that may be made anew.
constexpr std::string_view kMark = "# Made of what ranks recorded: lockstep-train gather.\n";
/// Key of the fact that holds the size of all rank files of which the run was made to its end.
constexpr const char* kGatheredFact = "gathered_bytes";

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == RankFile::kExtension) {
            files.push_back(entry->path());
        }
    }
    std::ranges::sort(files);
    return files;
}

std::vector<fs::path> rankFiles(const fs::path& run)
{
    return filesIn(run / "ranks");
}

std::uintmax_t sizeOf(const std::vector<fs::path>& files)
{
    std::uintmax_t bytes = 0;
    for (const fs::path& file : files) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(file, error);
        bytes += error ? 0 : size;
    }
    return bytes;
}

/// As far as TOML's and JSON's texts are alike: without control characters.
std::string tomlText(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string configurationText(const RankMerge& merge)
{
    RankStart first;
    std::int64_t batch = 0;
    if (!merge.starts().empty()) {
        first = merge.starts().front();
        for (const RankStart& start : merge.starts()) {
            batch = std::max(batch, start.batch);
        }
    }
    std::string text = fmt::format(
        "{}model.name = {}\ndataset.name = {}\ntowers = {}\nsteps = {}\n", kMark,
        tomlText(first.model.empty() ? "model" : first.model), tomlText(first.dataset),
        std::max<std::size_t>(1, merge.starts().size()), merge.nextStep());
    if (batch > 0) {
        text += fmt::format("batch_per_tower = {}\n", batch);
    }
    return text;
}

std::string recordedBy(const RankStart& start)
{
    std::vector<std::string> parts;
    for (const std::string* part : {&start.recorder, &start.trainer}) {
        if (!part->empty()) {
            parts.push_back(*part);
        }
    }
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    if (!start.backend.empty()) {
        text += fmt::format(" ({})", start.backend);
    }
    return text.empty() ? "rank files" : text;
}

/// That there is something to gather, and that the run may be made anew.
fs::path checked(fs::path run, bool isOfFiles)
{
    if (isOfFiles && rankFiles(run).empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: no rank has recorded anything there (ranks/rank-0000{}); name the folder that the "
            "recorder was given",
            run.string(), RankFile::kExtension);
    }
    if (RunFolder::isRun(run) && !RunFolder::configurationOf(run).starts_with(kMark)) {
        fail(
            ErrorCode::BadInput,
            "{}: a training of Lockstep's own is there; what ranks record needs a folder of its "
            "own",
            run.string());
    }
    std::error_code error;
    fs::create_directories(run, error);
    return run;
}

} // namespace

RunGatherer::RunGatherer(fs::path run, RankSources sources, Listener listener)
    : m_run(checked(std::move(run), sources.empty())), m_listener(std::move(listener)),
      m_folder(RunFolder::remake(m_run, configurationText(RankMerge({})))),
      m_store(m_folder.storeFile()), m_isOfFiles(sources.empty()),
      m_merge(
          [this](const RunRecord& record) { write(record); },
          [this] { return !m_listener.goesOn || m_listener.goesOn(m_merge.nextStep()); })
{
    for (auto& source : sources) {
        m_merge.add(std::move(source));
    }
    // Who looks at it from now on must not take it for a training of our own.
    m_store.append(RunValue{kRecordedByFact, recordedBy({})});
    m_store.flush();
}

bool RunGatherer::gather(bool isLast)
{
    addNewFiles();
    return m_merge.merge(isLast, steadySeconds());
}

void RunGatherer::addNewFiles()
{
    for (const fs::path& file : m_isOfFiles ? rankFiles(m_run) : std::vector<fs::path>()) {
        if (m_files.insert(file).second) {
            m_merge.add(std::make_unique<RankFile>(file));
        }
    }
}

void RunGatherer::write(const RunRecord& record)
{
    m_store.append(record); // first: what is told of a step comes after it
    if (const auto* const step = std::get_if<StepRecord>(&record)) {
        m_barrier.add(*step);
        if (std::ranges::none_of(step->towers, isMissing)) {
            m_alerts->take(*step);
        }
    } else if (const auto* const gradients = std::get_if<GradientRecord>(&record)) {
        m_alerts->take(gradientAgreement(*gradients));
    } else if (const auto* const event = std::get_if<RunEvent>(&record);
               event && m_listener.onEvent) {
        m_listener.onEvent(*event);
    } else if (const auto* const branch = std::get_if<RunBranch>(&record)) {
        m_alerts.emplace(
            AlertSettings(), static_cast<std::size_t>(branch->towers), 0,
            [this](const AlertRecord& told) { alert(told); }, true);
        writeFacts();
    }
}

void RunGatherer::alert(const AlertRecord& alert)
{
    write(RunEvent{
        .level = alert.isOver ? "info" : "warning",
        .text = alert.text,
        .kind = std::string(toString(alert.kind)),
        .tower = alert.tower});
}

void RunGatherer::writeFacts()
{
    const RankStart& first = m_merge.starts().front();
    const std::vector<std::string>& places = m_merge.steps()->places();
    const std::string configuration = configurationText(m_merge);
    m_folder.saveConfiguration(configuration);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {kRecordedByFact, recordedBy(first)},
             {kTowerDevicesFact, fmt::format("{}", fmt::join(places, " "))},
             {kRunStateFact, std::string(toString(RunState::Running))},
             {"configuration", configuration},
             {"host", first.host},
             {"model", first.model},
             {"dataset", first.dataset},
             {"towers", std::to_string(m_merge.starts().size())},
             {"training_examples", std::to_string(first.trainingExamples)},
             {"batch_per_tower", std::to_string(first.batch)}}) {
        m_store.append(RunValue{key, value});
    }
    for (const RankStart& start : m_merge.starts()) {
        if (!start.deviceName.empty()) {
            const std::string& place = places[static_cast<std::size_t>(start.rank)];
            m_store.append(RunValue{"device." + place, start.deviceName});
        }
    }
}

bool RunGatherer::finish()
{
    const std::uintmax_t bytes = sizeOf(rankFiles(m_run));
    if (!gather(true)) {
        m_store.close();
        return false;
    }
    if (const RankSteps* const steps = m_merge.steps()) {
        m_folder.saveConfiguration(configurationText(m_merge));
        m_store.append(RunValue{
            kTowerClocksFact, fmt::format("{}", fmt::join(steps->clockUncertainties(), " "))});
    }
    if (const std::string state = m_merge.endState(); !state.empty()) {
        m_store.append(RunValue{kRunStateFact, state});
    }
    m_store.append(RunValue{kGatheredFact, std::to_string(bytes)});
    m_store.close();
    return true;
}

bool RunGatherer::isRecorded(const fs::path& run)
{
    return !rankFiles(run).empty();
}

bool RunGatherer::isBehind(const fs::path& run)
{
    try {
        const auto facts = RunStoreReader(RunFolder::storeFileOf(run)).values();
        const auto found = facts.find(kGatheredFact);
        return found == facts.end() || found->second != std::to_string(sizeOf(rankFiles(run)));
    } catch (const Error&) { // there is none yet, or it is damaged: it can be made
        return true;
    }
}

double RunGatherer::secondsSinceWritten(const fs::path& run)
{
    double least = std::numeric_limits<double>::infinity();
    for (const fs::path& file : rankFiles(run)) {
        std::error_code error;
        const auto written = fs::last_write_time(file, error);
        if (!error) {
            const auto since = fs::file_time_type::clock::now() - written;
            least = std::min(least, std::chrono::duration<double>(since).count());
        }
    }
    return least;
}

RankSources rankFileSources(const std::vector<fs::path>& folders)
{
    RankSources sources;
    for (const fs::path& folder : folders) {
        const auto files = filesIn(folder);
        if (files.empty()) {
            fail(
                ErrorCode::BadInput, "{}: no rank file (*{}) there", folder.string(),
                RankFile::kExtension);
        }
        for (const fs::path& file : files) {
            sources.push_back(std::make_unique<RankFile>(file));
        }
    }
    return sources;
}

} // namespace lockstep
