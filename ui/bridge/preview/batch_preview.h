// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/example_study.h"
#include "engine/machines.h"

#include <QObject>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
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
/// latest data set stays open for the next request. Destroyed, it ends the loading of a data set
/// and waits for what is being made.
class BatchPreview : public QObject
{
    Q_OBJECT

public:
    using Request = std::variant<BatchRequest, StudyRequest, BalanceRequest>;

    explicit BatchPreview(QObject* parent = nullptr);

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
    void work(const std::stop_token& stop);
    void serve(const Request& request, RemoteMachine* machine);
    [[nodiscard]] bool isWantedStill();
    void answerThere(RemoteMachine& machine, const Request& request);
    void answerThere(RemoteMachine& machine, const BatchRequest& request);
    void answerProblem(const Request& request, const QString& text);
    [[nodiscard]] bool mayLoad(const DatasetRequest& dataset);
    template<class Report>
    void post(Report report);

    // Of the thread alone.
    std::stop_token m_stop;
    PreviewData m_data;
    int m_servedAge = 0;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Request> m_requests;
    std::shared_ptr<RemoteMachine> m_machine;
    bool m_isServing = false;
    bool m_isAbandoned = false; ///< what is being made
    int m_age = 0;              ///< grows in the GUI thread, when what there is is abandoned
    std::jthread m_thread;      ///< last: works with all others until it ends
};

} // namespace lockstep::ui
