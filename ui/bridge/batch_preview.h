// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/class_balance.h"
#include "bridge/example_study.h"
#include "bridge/preview_batch.h"
#include "bridge/preview_data.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>

namespace lockstep::ui {

/// What is to be counted: the classes of a configuration's data set.
struct BalanceRequest
{
    RunConfig config;
};

/// Makes what a person looks at of the data, one thing after the other, on a thread of its own. The
/// latest data set stays open for the next request.
class BatchPreview : public QObject
{
    Q_OBJECT

public:
    using Request = std::variant<BatchRequest, StudyRequest, BalanceRequest>;

    explicit BatchPreview(QObject* parent = nullptr);
    /// Ends the loading of a data set; waits for what is being made.
    ~BatchPreview() override;

    /// Replaces a request of the same kind that was not begun. The loading of a data set that the
    /// newest request does not want ends without an answer.
    void request(Request request);

public slots:
    /// Ends the loading of a data set: the answer to its request says so.
    void cancel();

signals:
    /// A data set is being loaded, which takes a while: the share that is done, 0 to 1.
    void loading(double share);
    void made(const lockstep::ui::PreviewBatch& batch);
    void studied(const lockstep::ui::ExampleStudy& study);
    void counted(const lockstep::ui::ClassBalance& balance);

private:
    void work();
    void serve(const Request& request);
    void answer(const BatchRequest& request, const LoadProgress& progress);
    void answer(const StudyRequest& request, const LoadProgress& progress);
    void answer(const BalanceRequest& request, const LoadProgress& progress);
    void answerProblem(const Request& request, const QString& text);
    [[nodiscard]] bool mayLoad(const DatasetRequest& dataset);
    template<class Report>
    void post(Report report);

    // Of the thread alone.
    PreviewData m_data;

    std::atomic<bool> m_isCancelled{false};
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Request> m_requests;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
