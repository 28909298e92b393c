// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/interrupted_run.h"

#include "bridge/base/file_names.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Who comes back after more than that has another thing in mind.
constexpr std::chrono::hours kRecent{24 * 7};

/// When the store or its log was last written.
fs::file_time_type lastWritten(const fs::path& folder)
{
    fs::path log = RunFolder::storeFileOf(folder);
    std::error_code ignored;
    const fs::file_time_type store = fs::last_write_time(log, ignored);
    log += "-wal";
    return fs::exists(log, ignored) ? std::max(store, fs::last_write_time(log, ignored)) : store;
}

std::optional<InterruptedRun> interruptedRun(const fs::path& folder)
{
    if (!RunFolder::isRun(folder) || RunLock::writerOf(folder)) {
        return std::nullopt;
    }
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    if (recordedState(reader.values()) != RunState::Running) {
        return std::nullopt;
    }
    return InterruptedRun{folder, reader.nextStep(), configOfRun(folder).steps};
}

} // namespace

QString InterruptedRun::key() const
{
    return toQString(folder) + QLatin1Char('@') + QString::number(step);
}

std::optional<InterruptedRun> findInterruptedRun(
    const std::vector<fs::path>& folders, const QStringList& asked)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> recent;
    const fs::file_time_type since = fs::file_time_type::clock::now() - kRecent;
    for (const fs::path& folder : folders) {
        const fs::file_time_type written = lastWritten(folder);
        if (written >= since) {
            recent.emplace_back(written, folder);
        }
    }
    std::sort(recent.rbegin(), recent.rend());
    for (const auto& [written, folder] : recent) {
        try {
            auto found = interruptedRun(folder);
            if (found && !asked.contains(found->key())) {
                return found;
            }
        } catch (const Error&) { // the table of runs shows what is wrong with it
        }
    }
    return std::nullopt;
}

} // namespace lockstep::ui
