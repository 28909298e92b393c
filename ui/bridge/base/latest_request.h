// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"

#include <QThreadPool>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace lockstep::ui {

/// Answers requests on a thread of its own, one after the other; of several that wait, the latest.
/// Lives in the thread of its owner, which must outlive it. Destroyed, it waits for the answer that
/// is being made, which then does not arrive.
template<class Request, class Answer>
class LatestRequest
{
public:
    /// Of the thread alone; null: there is nothing new to say.
    using Make = std::function<std::shared_ptr<const Answer>(const Request&)>;
    /// In the owner's thread, for every answer that is not null.
    using Deliver = std::function<void(const Request&, const std::shared_ptr<const Answer>&)>;

    LatestRequest(QObject& owner, Make make, Deliver deliver)
        : m_make(std::move(make)), m_deliver(std::move(deliver)), m_mailbox(owner)
    {
        m_thread.setMaxThreadCount(1);
    }
    ~LatestRequest() { m_thread.waitForDone(); }
    LatestRequest(const LatestRequest&) = delete;
    LatestRequest& operator=(const LatestRequest&) = delete;

    void request(const Request& request)
    {
        if (m_isBusy) {
            m_wanted = request;
        } else {
            begin(request);
        }
    }
    /// Something has been requested that has not arrived.
    [[nodiscard]] bool isBusy() const noexcept { return m_isBusy; }
    /// The request that waits is not answered.
    void forgetWaiting() { m_wanted.reset(); }
    /// On the thread, after what was requested before.
    template<class Function>
    void run(Function function)
    {
        m_thread.start(std::move(function));
    }

private:
    void begin(const Request& request)
    {
        m_isBusy = true;
        m_thread.start([this, request] {
            const std::shared_ptr<const Answer> answer = m_make(request);
            m_mailbox.post([this, request, answer] { take(request, answer); });
        });
    }
    void take(const Request& request, const std::shared_ptr<const Answer>& answer)
    {
        m_isBusy = false;
        if (const auto wanted = std::exchange(m_wanted, std::nullopt)) {
            begin(*wanted);
        }
        if (answer) {
            m_deliver(request, answer);
        }
    }

    Make m_make;
    Deliver m_deliver;
    std::optional<Request> m_wanted;
    bool m_isBusy = false;
    Mailbox m_mailbox;
    QThreadPool m_thread;
};

} // namespace lockstep::ui
