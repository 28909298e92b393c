// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_control.h"

#include <utility>

namespace lockstep {
namespace {

/// Nobody sees more of them, and each is a copy of some images.
constexpr std::chrono::milliseconds kBetweenMasks{480};
/// A window that looks asks twice a second; one that is gone must not cost the training anything.
constexpr std::chrono::milliseconds kAskedFor{3000};

} // namespace

void RunControl::pause()
{
    const std::scoped_lock lock(m_mutex);
    m_pauseWanted = true;
}

void RunControl::resume()
{
    const std::scoped_lock lock(m_mutex);
    m_pauseWanted = false;
    m_changed.notify_all();
}

void RunControl::stepOnce()
{
    const std::scoped_lock lock(m_mutex);
    m_stepWanted = m_pauseWanted;
    m_changed.notify_all();
}

void RunControl::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_stopWanted = true;
    m_changed.notify_all();
}

bool RunControl::isPauseWanted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_pauseWanted;
}

bool RunControl::isStopWanted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_stopWanted;
}

void RunControl::wantMasks(bool areWanted)
{
    const std::scoped_lock lock(m_mutex);
    m_areMasksWanted = areWanted;
    m_maskTurn.reset();
}

std::shared_ptr<const MaskRecord> RunControl::askForMasks(std::int64_t after)
{
    const std::scoped_lock lock(m_mutex);
    m_masksAsked = std::chrono::steady_clock::now();
    return m_masks && m_masks->step > after ? m_masks : nullptr;
}

void RunControl::keepMasks(const std::shared_ptr<const MaskRecord>& masks)
{
    const std::scoped_lock lock(m_mutex);
    m_masks = m_masksAsked ? masks : nullptr;
}

bool RunControl::takeMaskTurn()
{
    const std::scoped_lock lock(m_mutex);
    const auto now = std::chrono::steady_clock::now();
    if (m_masksAsked && now - *m_masksAsked > kAskedFor) {
        m_masksAsked.reset();
        m_masks.reset();
    }
    const bool areWanted = m_areMasksWanted || m_masksAsked;
    if (!areWanted || (m_maskTurn && now - *m_maskTurn < kBetweenMasks)) {
        return false;
    }
    m_maskTurn = now;
    return true;
}

void RunControl::request(std::function<void()> action)
{
    const std::scoped_lock lock(m_mutex);
    m_requests.push_back({std::move(action), {}});
    m_changed.notify_all();
}

void RunControl::report(const std::string& subject, std::function<void()> action)
{
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_reports, [&](const Action& older) { return older.subject == subject; });
    m_reports.push_back({std::move(action), subject});
    m_changed.notify_all();
}

bool RunControl::isAttentionWanted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_pauseWanted || m_stopWanted || !m_requests.empty();
}

/// Unlocks while it runs them: they take their time, and may ask for more.
void RunControl::run(Actions& actions, std::unique_lock<std::mutex>& lock)
{
    while (!actions.empty()) {
        const Actions taken = std::exchange(actions, {});
        lock.unlock();
        for (const Action& action : taken) {
            action.run();
        }
        lock.lock();
    }
}

void RunControl::serve(std::unique_lock<std::mutex>& lock)
{
    run(m_reports, lock);
    run(m_requests, lock);
}

void RunControl::serveReports()
{
    std::unique_lock lock(m_mutex);
    run(m_reports, lock);
}

void RunControl::serve()
{
    std::unique_lock lock(m_mutex);
    serve(lock);
}

bool RunControl::mayGoOn(const std::function<void(bool isPaused)>& onPause)
{
    std::unique_lock lock(m_mutex);
    serve(lock);
    if (m_pauseWanted && !m_stopWanted) {
        lock.unlock();
        onPause(true);
        lock.lock();
        while (isHeld()) {
            m_changed.wait(
                lock, [this] { return !isHeld() || !m_requests.empty() || !m_reports.empty(); });
            serve(lock);
        }
        serve(lock); // what was asked for just before the pause ended
        m_stepWanted = false;
        lock.unlock();
        onPause(false);
        lock.lock();
    }
    return !m_stopWanted;
}

} // namespace lockstep
