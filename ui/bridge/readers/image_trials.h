// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/latest_request.h"
#include "engine/evaluation.h"
#include "engine/records.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <variant>

namespace lockstep::ui {

/// Which image is to be tried, and with what.
struct TrialRequest
{
    std::filesystem::path run;
    std::int64_t step = 0; ///< the weights of the checkpoint that is closest to this
    WeightsKind weights = WeightsKind::Average;
    /// Number of an example of the test set, or a file.
    std::variant<std::int64_t, std::filesystem::path> image;
    bool operator==(const TrialRequest&) const = default;
};

/// What came of it.
struct TrialAnswer
{
    PredictedImage tried;
    std::int64_t step = 0; ///< of the checkpoint whose weights these are
    QString problem;       ///< why there is none; else empty
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
    [[nodiscard]] TrialAnswer answer(const TrialRequest& request);
    void open(const TrialRequest& request);

    // Of the thread alone.
    std::unique_ptr<ImagePredictor> m_trial;
    std::filesystem::path m_file; ///< whose checkpoint it is
    WeightsKind m_weights = WeightsKind::Average;

    LatestRequest<TrialRequest, TrialAnswer> m_answering;
};

} // namespace lockstep::ui
