// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/latest_request.h"
#include "bridge/readers/evaluation_reader.h"

namespace lockstep::ui {

/// Asks an EvaluationReader on a thread of its own. Lives in the GUI thread.
class EvaluationHistory : public QObject
{
    Q_OBJECT

public:
    explicit EvaluationHistory(QObject* parent = nullptr);

    /// Reads what is wanted, as soon as what is being read is; of several requests that wait, the
    /// latest. To be asked again when the run may have another evaluation.
    void request(const EvaluationRequest& request) { m_reading.request(request); }
    /// What arrived is shown no more: the next one is told even if it is the same.
    void forget();

signals:
    /// It differs from the one before.
    void arrived(
        const lockstep::ui::EvaluationRequest& request,
        const std::shared_ptr<const lockstep::ui::EvaluationPicture>& picture);

private:
    EvaluationReader m_reader; ///< of the thread alone
    LatestRequest<EvaluationRequest, EvaluationPicture> m_reading;
};

} // namespace lockstep::ui
