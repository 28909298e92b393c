// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/evaluation_reader.h"

#include <QObject>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace lockstep::ui {

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

    explicit TrialSeries(QObject* parent = nullptr);

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
