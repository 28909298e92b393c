// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/latest_request.h"
#include "engine/records.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// Which evaluation of a run is wanted.
struct EvaluationRequest
{
    std::filesystem::path folder;
    std::optional<std::int64_t> step; ///< none: the newest of these weights
    WeightsKind weights = WeightsKind::Average;
    bool operator==(const EvaluationRequest&) const = default;
};

/// The evaluations of a run, and what one of them says of each image.
struct EvaluationPicture
{
    std::vector<EvaluationRecord> evaluations; ///< of both kinds of weights
    std::optional<EvaluationRecord> chosen;    ///< of those; none if there is no such
    std::vector<ImageScore> images;            ///< of the chosen one, in the set's order
    std::vector<PrecisionRecallPoint> curve;   ///< empty where no image is positive
    DetectionScores detection;                 ///< where there is a curve
    // Of a network that classifies; without images where they were not kept.
    std::vector<ClassifiedImage> classified; ///< of the chosen one, in the set's order
    std::vector<ConfusionCell> confusion;    ///< of these
    QStringList classNames; ///< of every class the network tells apart, images or not
    QString problem;        ///< why there is less; else empty
};

/// Reads evaluations from a run's store, finished or still being written. One thread at a time.
class EvaluationReader
{
public:
    /// Empty if nothing has changed since it was asked for the same.
    [[nodiscard]] std::shared_ptr<const EvaluationPicture> read(const EvaluationRequest& request);
    /// The next answer is never empty.
    void forget() { m_request.reset(); }

private:
    std::optional<EvaluationRequest> m_request;           ///< the last one that was answered
    std::vector<std::pair<std::int64_t, double>> m_known; ///< step and loss of each that it had
};

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
