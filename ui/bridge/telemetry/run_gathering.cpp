// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/run_gathering.h"

#include "models/engine_text.h"

#include <chrono>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kGatherEvery{250};
/// Ranks that were killed say nothing. Those that go on after all are gathered again.
constexpr double kQuietSeconds = 300.0;
constexpr double kJustNow = 5.0;

} // namespace

std::shared_ptr<RunGathering> RunGathering::ofRun(const std::filesystem::path& folder)
{
    return isNeeded(folder) ? std::make_shared<RunGathering>(folder) : nullptr;
}

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
      m_gatherer(std::make_unique<RunGatherer>(
          folder, RankSources(),
          RunGatherer::Listener{{}, [this](std::int64_t /*nextStep*/) { return isWanted(); }})),
      m_thread([this] { work(); })
{
}

RunGathering::~RunGathering()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isWanted = false;
    }
    m_changed.notify_all();
    m_thread.join();
}

bool RunGathering::isWanted()
{
    const std::scoped_lock lock(m_mutex);
    return m_isWanted;
}

void RunGathering::work()
{
    try {
        bool goesOn = true;
        while (goesOn && m_gatherer->poll() && !m_gatherer->isOver()
               && RunGatherer::secondsSinceWritten(m_folder) < kQuietSeconds) {
            std::unique_lock lock(m_mutex);
            goesOn = !m_changed.wait_for(lock, kGatherEvery, [this] { return !m_isWanted; });
        }
        if (isWanted()) {
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
