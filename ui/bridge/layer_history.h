// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/layer_reader.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace lockstep::ui {

/// Asks a LayerReader on a thread of its own. Lives in the GUI thread.
class LayerHistory : public QObject
{
    Q_OBJECT

public:
    explicit LayerHistory(QObject* parent = nullptr);
    /// Waits for what is being read.
    ~LayerHistory() override;

    /// Reads what is wanted, as soon as what is being read is; of several requests that wait, the
    /// latest. To be asked again when the run may have grown.
    void request(const LayerRequest& request);

signals:
    /// It differs from the one before.
    void arrived(
        const lockstep::ui::LayerRequest& request,
        const std::shared_ptr<const lockstep::ui::LayerPicture>& picture);

private:
    void read(const LayerRequest& request);
    void onRead(const LayerRequest& request, const std::shared_ptr<const LayerPicture>& picture);

    LayerReader m_reader; ///< of the thread alone
    std::optional<LayerRequest> m_wanted;
    bool m_isReading = false;
    QThreadPool m_thread;
};

} // namespace lockstep::ui
