// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/evaluation_history.h"

#include <utility>

namespace lockstep::ui {

EvaluationHistory::EvaluationHistory(QObject* parent) : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

EvaluationHistory::~EvaluationHistory()
{
    m_thread.waitForDone();
}

void EvaluationHistory::request(const EvaluationRequest& request)
{
    if (m_isReading) {
        m_wanted = request;
    } else {
        read(request);
    }
}

void EvaluationHistory::forget()
{
    m_thread.start([this] { m_reader.forget(); });
}

void EvaluationHistory::read(const EvaluationRequest& request)
{
    m_isReading = true;
    m_thread.start([this, request] {
        const std::shared_ptr<const EvaluationPicture> picture = m_reader.read(request);
        QMetaObject::invokeMethod(
            this, [this, request, picture] { onRead(request, picture); }, Qt::QueuedConnection);
    });
}

void EvaluationHistory::onRead(
    const EvaluationRequest& request, const std::shared_ptr<const EvaluationPicture>& picture)
{
    m_isReading = false;
    if (const auto wanted = std::exchange(m_wanted, std::nullopt)) {
        read(*wanted);
    }
    if (picture) {
        emit arrived(request, picture);
    }
}

} // namespace lockstep::ui
