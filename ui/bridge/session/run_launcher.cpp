// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/run_launcher.h"

#include "engine/base.h"
#include "models/engine_text.h"

#include <exception>
#include <utility>

namespace lockstep::ui {

RunLauncher::RunLauncher(const RunRequest& request, QObject& context, SessionListener listener)
    : m_launch(request), m_told(context, std::move(listener)),
      m_answer(m_launch.descriptor(), QSocketNotifier::Read)
{
    QObject::connect(&m_answer, &QSocketNotifier::activated, &m_answer, [this] { look(); });
}

void RunLauncher::look()
{
    try {
        const auto folder = m_launch.poll();
        if (!folder) {
            return;
        }
        m_told.post(RunLaunched{*folder});
    } catch (const Error& error) {
        const bool isAskedFor = error.code() == ErrorCode::Cancelled;
        m_told.post(RunOutcome{
            isAskedFor ? RunState::Stopped : RunState::Failed, engineText(error.what())});
    } catch (const std::exception& error) {
        m_told.post(RunOutcome{RunState::Failed, engineText(error.what())});
    }
    m_answer.setEnabled(false);
}

} // namespace lockstep::ui
