// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/example_study.h"
#include "engine/machines.h"

#include <QObject>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>

namespace lockstep::ui {

/// What is to be counted: the classes of a configuration's data set.
struct BalanceRequest
{
    RunConfig config;
    bool isClosedThen = false; ///< no preview of it will follow
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

    /// What is asked for later lies on this machine; null: on this one.
    void setMachine(std::shared_ptr<RemoteMachine> machine);
    /// Replaces a request of the same kind that was not begun. The loading of a data set that the
    /// newest request does not want ends without an answer.
    void request(Request request);

    /// Ends the loading of a data set and forgets what waits: none of it is answered any more.
    /// Returns whether there was anything.
    bool abandon();

signals:
    /// A data set is being loaded, which takes a while: the share that is done, 0 to 1.
    void loading(double share);
    void made(const lockstep::ui::PreviewBatch& batch);
    void studied(const lockstep::ui::ExampleStudy& study);
    void counted(const lockstep::ui::ClassBalance& balance);

private:
    void work();
    void serve(const Request& request, RemoteMachine* machine);
    [[nodiscard]] bool isWantedStill();
    void answerThere(RemoteMachine& machine, const Request& request);
    void answerThere(RemoteMachine& machine, const BatchRequest& request);
    void answer(const BatchRequest& request, const LoadProgress& progress);
    void answer(const StudyRequest& request, const LoadProgress& progress);
    void answer(const BalanceRequest& request, const LoadProgress& progress);
    void answerProblem(const Request& request, const QString& text);
    [[nodiscard]] bool mayLoad(const DatasetRequest& dataset);
    template<class Report>
    void post(Report report);

    // Of the thread alone.
    PreviewData m_data;
    int m_servedAge = 0;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Request> m_requests;
    std::shared_ptr<RemoteMachine> m_machine;
    bool m_isServing = false;
    bool m_isAbandoned = false; ///< what is being made
    int m_age = 0;              ///< grows in the GUI thread, when what there is is abandoned
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
