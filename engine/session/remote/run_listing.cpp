// SPDX-License-Identifier: Apache-2.0
#include "session/remote/run_listing.h"

#include "base/clock.h"
#include "session/control/run_state.h"
#include "session/remote/remote_frames.h"
#include "session/run/run_start.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTitleBytes = 1024;

std::string titleOf(const fs::path& run)
{
    std::string title(kMostTitleBytes, '\0');
    std::ifstream file(RunFolder::titleFileOf(run), std::ios::binary);
    file.read(title.data(), static_cast<std::streamsize>(title.size()));
    title.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return title;
}

void takeStore(RemoteRun& told, const fs::path& run)
{
    const RunStoreReader reader(RunFolder::storeFileOf(run));
    const auto values = reader.values();
    const auto state = values.find(kRunStateFact);
    told.state = state == values.end() ? "" : state->second;
    told.step = reader.nextStep();
    const auto branches = reader.branches();
    told.started = branches.empty() ? 0.0 : branches.front().created;
    reader.forEachStep(
        [&](const StepRecord& step) { told.lastLoss = crossEntropy(step); },
        std::max<std::int64_t>(0, told.step - 1), told.step);
    for (const EvaluationRecord& evaluation : reader.evaluations()) {
        if (evaluation.weights == WeightsKind::Average) {
            told.lastAccuracy = evaluation.accuracy;
            told.bestAccuracy = std::max(told.bestAccuracy.value_or(0.0), evaluation.accuracy);
        }
    }
}

RemoteRun read(const fs::path& run, const RunStamp& stamp)
{
    RemoteRun told;
    told.name = run.filename().string();
    told.isTrained = stamp.writer.has_value();
    told.changed = kNanosecond
                   * static_cast<double>(std::max(
                       {stamp.store.store.nanoseconds, stamp.store.log.nanoseconds,
                        stamp.configuration.nanoseconds, stamp.title.nanoseconds}));
    try {
        told.configuration = RunFolder::configurationOf(run);
        told.title = titleOf(run);
        if (std::error_code noFile; fs::exists(RunFolder::storeFileOf(run), noFile)) {
            takeStore(told, run);
        }
    } catch (const std::exception& error) {
        told.problem = error.what();
    }
    return told;
}

/// What stays as it was told is left out: a configuration is large beside all else.
Frame changesOf(const RemoteRun& run, const RemoteRun& told)
{
    Frame frame(run);
    if (run.configuration == told.configuration) {
        frame.erase("configuration");
    }
    return frame;
}

} // namespace

std::optional<Frame> RunListing::news()
{
    std::map<std::string, Known> known;
    Frame changed = Frame::array();
    std::error_code error;
    for (fs::directory_iterator entry(m_folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const fs::path& run = entry->path();
        if (!RunFolder::isRun(run)) {
            continue;
        }
        const RunStamp stamp = runStamp(run);
        const std::string name = run.filename().string();
        Known& now = known[name] = m_known[name];
        if (now.stamp != stamp) {
            RemoteRun told = read(run, stamp);
            changed.push_back(changesOf(told, now.told));
            now = {stamp, std::move(told)};
        }
    }
    m_known = std::move(known);
    std::vector<std::string> names;
    for (const auto& [name, run] : m_known) {
        names.push_back(name);
    }
    std::ranges::stable_sort(names, [this](const std::string& left, const std::string& right) {
        return m_known.at(left).told.changed > m_known.at(right).told.changed;
    });
    // The first frame says that there are none, too.
    const bool wasTold = std::exchange(m_isTold, true);
    if (wasTold && changed.empty() && names == m_names) {
        return std::nullopt;
    }
    m_names = names;
    return Frame{{"t", "runs"}, {"names", names}, {"changed", std::move(changed)}};
}

} // namespace lockstep
