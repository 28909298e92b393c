// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/zoom_history.h"

namespace lockstep::ui {
namespace {

constexpr std::size_t kMost = 50;
constexpr qint64 kMillisecondsOfOneGesture = 800;

std::optional<ZoomView> move(
    std::vector<ZoomView>& from, std::vector<ZoomView>& to, const ZoomView& now)
{
    if (from.empty()) {
        return std::nullopt;
    }
    to.push_back(now);
    ZoomView view = from.back();
    from.pop_back();
    return view;
}

} // namespace

void ZoomHistory::leave(const ZoomView& view, bool isGoingOn)
{
    const bool isSameGesture =
        isGoingOn && m_sinceTurn.isValid() && !m_sinceTurn.hasExpired(kMillisecondsOfOneGesture);
    isGoingOn ? m_sinceTurn.start() : m_sinceTurn.invalidate();
    m_forward.clear();
    if (isSameGesture) {
        return;
    }
    if (m_back.size() == kMost) {
        m_back.erase(m_back.begin());
    }
    m_back.push_back(view);
}

std::optional<ZoomView> ZoomHistory::back(const ZoomView& now)
{
    m_sinceTurn.invalidate();
    return move(m_back, m_forward, now);
}

std::optional<ZoomView> ZoomHistory::forward(const ZoomView& now)
{
    m_sinceTurn.invalidate();
    return move(m_forward, m_back, now);
}

void ZoomHistory::clear()
{
    m_back.clear();
    m_forward.clear();
    m_sinceTurn.invalidate();
}

} // namespace lockstep::ui
