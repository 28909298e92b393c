// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/evaluation_history.h"

namespace lockstep::ui {

EvaluationHistory::EvaluationHistory(QObject* parent)
    : QObject(parent),
      m_reading(
          *this, [this](const EvaluationRequest& request) { return m_reader.read(request); },
          [this](const auto& request, const auto& picture) { emit arrived(request, picture); })
{
}

void EvaluationHistory::forget()
{
    m_reading.run([this] { m_reader.forget(); });
}

} // namespace lockstep::ui
