// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>
#include <utility>

namespace lockstep::ui {

/// Brings calls from worker threads into the thread of `context`, in order. What is still on its
/// way when the mailbox goes never arrives. Made and destroyed in the context's thread; the context
/// must outlive it.
class Mailbox
{
public:
    explicit Mailbox(QObject& context) : m_context(context) {}
    ~Mailbox() = default;
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

} // namespace lockstep::ui
