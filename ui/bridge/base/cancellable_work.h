// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "models/engine_text.h"

#include <QString>

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace lockstep::ui {

/// A long piece of work, one at a time, on a thread of its own, which can be cancelled. Lives in
/// the thread of its owner, which must outlive it. Destroyed, it cancels and waits.
class CancellableWork
{
public:
    explicit CancellableWork(QObject& owner) : m_mailbox(owner) {}
    ~CancellableWork()
    {
        cancel();
        join();
    }
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
        join(); // it has said its last word
        m_isCancelled = false;
        m_isRunning = true;
        m_thread = std::thread([this, work = std::move(work), onError = std::move(onError)] {
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
    void join()
    {
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

    Mailbox m_mailbox;
    std::atomic<bool> m_isCancelled{false};
    bool m_isRunning = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
