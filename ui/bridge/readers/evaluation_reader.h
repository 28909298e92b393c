// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/evaluation.h"
#include "engine/machines.h"
#include "engine/records.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
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

/// Which image is to be tried, and with what.
struct TrialRequest
{
    std::filesystem::path run;
    std::int64_t step = 0; ///< the weights of the checkpoint that is closest to this
    WeightsKind weights = WeightsKind::Average;
    /// Number of an example of the test set, or a file.
    std::variant<std::int64_t, std::filesystem::path> image;
    std::shared_ptr<RemoteMachine> machine; ///< on which the run is; null: this one
    bool operator==(const TrialRequest&) const = default;
};

/// What came of it.
struct TrialAnswer
{
    PredictedImage tried;
    std::int64_t step = 0; ///< of the checkpoint whose weights these are
    QString problem;       ///< why there is none; else empty
};

/// The network of a run, kept open for one image after another. One thread at a time.
class TrialNetwork
{
public:
    /// Opens the checkpoint that is closest, unless it is open. Errors of ImagePredictor, or those
    /// of the machine.
    [[nodiscard]] TrialAnswer ask(const TrialRequest& request);
    /// Gives the memory of network and data set back.
    void close() { m_predictor.reset(); }

private:
    std::unique_ptr<ImagePredictor> m_predictor;
    std::filesystem::path m_file; ///< whose checkpoint it is
    WeightsKind m_weights = WeightsKind::Average;
};

/// Tries images on the checkpoints of runs, one after the other, on a thread of its own; what it
/// has opened stays open until close(). Lives in the GUI thread.
class ImageTrials : public QObject
{
    Q_OBJECT

public:
    explicit ImageTrials(QObject* parent = nullptr);

    /// Tries it as soon as the one before is done; of several that wait, the latest.
    void request(const TrialRequest& request) { m_answering.request(request); }
    /// Something has been requested that has not arrived.
    [[nodiscard]] bool isBusy() const noexcept { return m_answering.isBusy(); }
    /// Forgets who waits, and gives the memory of network and data set back.
    void close();

signals:
    void arrived(
        const lockstep::ui::TrialRequest& request,
        const std::shared_ptr<const lockstep::ui::TrialAnswer>& answer);

private:
    [[nodiscard]] std::shared_ptr<const TrialAnswer> answer(const TrialRequest& request);

    TrialNetwork m_network; ///< of the thread alone
    LatestRequest<TrialRequest, TrialAnswer> m_answering;
};

} // namespace lockstep::ui
