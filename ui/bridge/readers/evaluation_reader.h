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
#include <functional>
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
    /// The same; what is wrong is the answer's problem.
    [[nodiscard]] std::shared_ptr<const TrialAnswer> answer(const TrialRequest& request);
    /// Gives the memory of network and data set back.
    void close() { m_predictor.reset(); }

private:
    std::unique_ptr<ImagePredictor> m_predictor;
    std::filesystem::path m_file; ///< whose checkpoint it is
    WeightsKind m_weights = WeightsKind::Average;
};

/// What a network says of one of many images.
struct SeriesAnswer
{
    std::variant<std::int64_t, std::filesystem::path> image; ///< as it was asked for
    FilePrediction prediction;                               ///< or its problem
    PredictedImage tried;                                    ///< of an example; nothing of a file
};

/// Asks a run's network about many images, one after the other, on a thread of its own. Lives in
/// the GUI thread.
class TrialSeries : public QObject
{
    Q_OBJECT

public:
    using Images = std::vector<std::variant<std::int64_t, std::filesystem::path>>;

    using QObject::QObject;

    /// `images` is called on the thread: it may look through folders. What is being asked is
    /// cancelled, and arrives no more. Of `of` the image is left aside.
    void start(const TrialRequest& of, std::function<Images()> images);
    /// Nothing arrives any more.
    void cancel();
    [[nodiscard]] bool isBusy() const noexcept
    {
        return m_next.has_value() || (m_work.isRunning() && !m_isSilent);
    }

signals:
    /// How many images there are.
    void counted(qint64 images);
    void arrived(const lockstep::ui::SeriesAnswer& answer);
    /// All are there, or `problem` says why not.
    void ended(const QString& problem);

private:
    struct Job
    {
        TrialRequest request;
        std::function<Images()> images;
    };
    void begin(Job job);
    void work(const Job& job);
    void end(const QString& problem);

    std::optional<Job> m_next; ///< begins when the one before has ended
    bool m_isSilent = false;   ///< what is being asked was cancelled
    CancellableWork m_work{*this};
};

} // namespace lockstep::ui
