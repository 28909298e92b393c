// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/run_gathering.h"

#include "models/engine_text.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kGatherEvery{250};
/// Ranks that were killed say nothing. Those that go on after all are gathered again.
constexpr double kQuietSeconds = 300.0;
constexpr double kJustNow = 5.0;

} // namespace

bool RunGathering::isNeeded(const std::filesystem::path& folder)
{
    return RunGatherer::isRecorded(folder) && !RunLock::writerOf(folder)
           && RunGatherer::isBehind(folder);
}

bool RunGathering::hasMore(const std::filesystem::path& folder)
{
    return RunGatherer::secondsSinceWritten(folder) < kJustNow && RunGatherer::isBehind(folder);
}

RunGathering::RunGathering(const std::filesystem::path& folder)
    : m_folder(folder),
      m_gatherer(
          std::in_place, folder, RankSources(),
          RunGatherer::Listener{
              {}, [this](std::int64_t /*nextStep*/) { return !m_stop.stop_requested(); }}),
      m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

void RunGathering::work(const std::stop_token& stop)
{
    m_stop = stop;
    std::condition_variable_any stopped;
    try {
        while (!stop.stop_requested() && m_gatherer->poll() && !m_gatherer->isOver()
               && RunGatherer::secondsSinceWritten(m_folder) < kQuietSeconds) {
            std::unique_lock lock(m_mutex);
            stopped.wait_for(lock, stop, kGatherEvery, [] { return false; });
        }
        if (!stop.stop_requested()) {
            m_gatherer->finish();
        }
    } catch (const std::exception& error) {
        const std::scoped_lock lock(m_mutex);
        m_error = engineText(error.what());
    }
    m_gatherer.reset(); // gives the lock back: who follows the run sees its end
}

QString RunGathering::takeError()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_error, {});
}

} // namespace lockstep::ui
