// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/layer_history.h"

#include <utility>

namespace lockstep::ui {

LayerHistory::LayerHistory(QObject* parent) : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

LayerHistory::~LayerHistory()
{
    m_thread.waitForDone();
}

void LayerHistory::request(const LayerRequest& request)
{
    if (m_isReading) {
        m_wanted = request;
    } else {
        read(request);
    }
}

void LayerHistory::read(const LayerRequest& request)
{
    m_isReading = true;
    m_thread.start([this, request] {
        const std::shared_ptr<const LayerPicture> picture = m_reader.read(request);
        QMetaObject::invokeMethod(
            this, [this, request, picture] { onRead(request, picture); }, Qt::QueuedConnection);
    });
}

void LayerHistory::onRead(
    const LayerRequest& request, const std::shared_ptr<const LayerPicture>& picture)
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
