// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <QSocketNotifier>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace lockstep::ui {
namespace {

int wakeDescriptor = -1; // a handler can reach nothing else
std::atomic<bool> wasRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

void onSignal(int signal)
{
    if (wasRequested.exchange(true)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wakeDescriptor, &one, sizeof one);
}

} // namespace

Interrupt::Interrupt(QObject* parent)
    : QObject(parent), m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    wakeDescriptor = m_descriptor;
    auto* const notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        emit requested();
    });
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

Interrupt::~Interrupt()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    ::close(m_descriptor);
}

} // namespace lockstep::ui
