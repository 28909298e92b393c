// SPDX-License-Identifier: Apache-2.0
#include "session/step/step_replay.h"

#include "base/error.h"

namespace lockstep {

void StepReplay::run(std::size_t piece, const std::function<void()>& work, Stream& stream)
{
    if (m_isOn && m_isWarm && piece >= m_graphs.size()) {
        capture(work, stream);
    }
    if (m_isOn && m_isWarm) {
        m_graphs[piece]->launch(stream);
    } else {
        work();
    }
}

/// A capture that fails leaves nothing behind: no call of it has run.
void StepReplay::capture(const std::function<void()>& work, Stream& stream)
{
    try {
        stream.beginCapture();
        work();
        m_graphs.push_back(stream.endCapture());
    } catch (const Error& error) {
        m_failure = error.what();
        m_isOn = false;
        try {
            static_cast<void>(stream.endCapture());
        } catch (const Error&) {
            // The capture had ended or is invalid; either way the stream captures no longer.
        }
    }
}

} // namespace lockstep
