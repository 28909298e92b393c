// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QLocalServer>
#include <QObject>
#include <QString>
#include <QStringList>

class QLocalSocket;

namespace lockstep::ui {

/// What a start asks of the window that is open already: to come to the front, and to open these.
struct HandOver
{
    QStringList paths;          ///< absolute, or addresses of machines
    QByteArray activationToken; ///< the desktop's leave to come to the front; may be empty
};

/// Has one window for each user and display: later starts hand over to it what they were asked for.
/// It listens on a socket in $XDG_RUNTIME_DIR, and holds a lock beside it that the kernel takes
/// back however its process ends; so nothing that was left there is ever in the way. Needs a
/// QGuiApplication.
class OnlyWindow : public QObject
{
    Q_OBJECT

public:
    explicit OnlyWindow(QObject* parent = nullptr);
    ~OnlyWindow() override;

    /// Whether another window has taken it. Without one, or where it does not answer in time, which
    /// is told, this start needs a window of its own.
    [[nodiscard]] bool handOver(const HandOver& what);
    /// From now on later starts hand over to this process; while they do to another one, as soon as
    /// that has gone.
    void listen();

signals:
    void handedOver(const lockstep::ui::HandOver& what);

private:
    /// Whether this process holds the lock.
    bool lock();
    void serve(QLocalSocket& socket);

    const QString m_path; ///< of the socket; empty: there is no place for it
    int m_lock = -1;
    QLocalServer m_server;
};

} // namespace lockstep::ui
