// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/latest_request.h"
#include "bridge/readers/layer_reader.h"

namespace lockstep::ui {

/// Asks a LayerReader on a thread of its own. Lives in the GUI thread.
class LayerHistory : public QObject
{
    Q_OBJECT

public:
    explicit LayerHistory(QObject* parent = nullptr);

    /// Reads what is wanted, as soon as what is being read is; of several requests that wait, the
    /// latest. To be asked again when the run may have grown.
    void request(const LayerRequest& request) { m_reading.request(request); }

signals:
    /// It differs from the one before.
    void arrived(
        const lockstep::ui::LayerRequest& request,
        const std::shared_ptr<const lockstep::ui::LayerPicture>& picture);

private:
    LayerReader m_reader; ///< of the thread alone
    LatestRequest<LayerRequest, LayerPicture> m_reading;
};

} // namespace lockstep::ui
