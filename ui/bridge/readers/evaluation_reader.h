// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace lockstep::ui
