// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_text.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace lockstep::ui {

/// Brings calls from worker threads into the thread of `context`, in order. What is still on its
/// way when the mailbox goes never arrives. Made and destroyed in the context's thread; the context
/// must outlive it.
class Mailbox
{
public:
    explicit Mailbox(QObject& context) : m_context(context) {}
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Any thread.
    template<class Function>
    void post(Function function) const
    {
        QMetaObject::invokeMethod(
            &m_context,
            [address = std::weak_ptr(m_address), call = std::move(function)] {
                if (!address.expired()) {
                    call();
                }
            },
            Qt::QueuedConnection);
    }

private:
    QObject& m_context;
    std::shared_ptr<const bool> m_address = std::make_shared<const bool>(true);
};

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
    QThreadPool m_thread; ///< last: it waits for what is being made
};

/// A long piece of work, one at a time, on a thread of its own, which can be cancelled. Lives in
/// the thread of its owner, which must outlive it. Destroyed, it cancels and waits.
class CancellableWork
{
public:
    explicit CancellableWork(QObject& owner) : m_mailbox(owner) {}
    ~CancellableWork() { cancel(); }
    CancellableWork(const CancellableWork&) = delete;
    CancellableWork& operator=(const CancellableWork&) = delete;

    [[nodiscard]] bool isRunning() const noexcept { return m_isRunning; }
    void cancel() { m_isCancelled = true; }

    /// Does `work` on the thread. What it returns is called in the owner's when it is done; where
    /// it throws, `onError` with what was said and whether it had been cancelled. Does nothing
    /// while one is running.
    template<class Work, class OnError>
    void start(Work work, OnError onError)
    {
        if (m_isRunning) {
            return;
        }
        m_isCancelled = false;
        m_isRunning = true;
        // Waits for the one before, which has said its last word.
        m_thread = std::jthread([this, work = std::move(work), onError = std::move(onError)] {
            std::function<void()> lastWord;
            try {
                lastWord = work();
            } catch (const std::exception& error) {
                lastWord = [onError, text = engineText(error.what()),
                            isCancelled = m_isCancelled.load()] { onError(text, isCancelled); };
            }
            report([this, lastWord] {
                m_isRunning = false;
                lastWord();
            });
        });
    }

    // For the work:
    [[nodiscard]] bool isCancelled() const { return m_isCancelled; }
    /// Calls it in the owner's thread.
    template<class Function>
    void report(Function function) const
    {
        m_mailbox.post(std::move(function));
    }

private:
    Mailbox m_mailbox;
    std::atomic<bool> m_isCancelled{false};
    bool m_isRunning = false;
    std::jthread m_thread; ///< last: works with all others until it ends
};

} // namespace lockstep::ui
