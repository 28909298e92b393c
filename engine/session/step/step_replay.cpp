// SPDX-License-Identifier: Apache-2.0
#include "session/step/step_replay.h"

#include "base/error.h"

namespace lockstep {

void StepReplay::run(
    Variant variant, std::size_t piece, const std::function<void()>& work, Stream& stream)
{
    Captured& own = m_captured[variant];
    if (m_isOn && own.isWarm && piece >= own.pieces.size()) {
        try {
            own.pieces.push_back(captured(work, stream));
        } catch (const Error& error) {
            m_failure = error.what();
            m_isOn = false;
        }
    }
    if (!m_isOn || !own.isWarm) {
        work();
        return;
    }
    for (const Part& part : own.pieces[piece]) {
        part.graph->launch(stream);
        if (part.call) {
            part.call();
        }
    }
}

void StepReplay::callBetween(const std::function<void()>& call, Stream& stream)
{
    if (m_open != nullptr) {
        m_open->push_back({stream.endCapture(), call});
        stream.beginCapture();
    } else {
        call();
    }
}

std::vector<StepReplay::Part> StepReplay::captured(
    const std::function<void()>& work, Stream& stream)
{
    std::vector<Part> parts;
    m_open = &parts;
    try {
        stream.beginCapture();
        work();
        parts.push_back({stream.endCapture(), {}});
    } catch (...) { // any error: else the stream would capture for ever
        m_open = nullptr;
        try {
            static_cast<void>(stream.endCapture());
        } catch (const Error&) {
            // The capture had ended or is invalid; either way the stream captures no longer.
        }
        throw;
    }
    m_open = nullptr;
    return parts;
}

} // namespace lockstep
