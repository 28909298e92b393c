// SPDX-License-Identifier: GPL-3.0-or-later
#include "only_window.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QThread>
#include <QTimer>
#include <QUrl>

#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kPatienceMilliseconds = 10'000; ///< a window may be opening, on a busy machine
constexpr int kPauseMilliseconds = 50;
constexpr int kLookAgainMilliseconds = 5000;
constexpr qint64 kMostBytes = 4 << 20; ///< a command line has room for 2 MiB
constexpr auto kTaken = "taken\n";

/// Of this user and display.
QString socketPath()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (folder.isEmpty()) {
        return {};
    }
    const QString platform = QGuiApplication::platformName();
    const QString display = qEnvironmentVariable(
        platform.startsWith(QLatin1String("wayland")) ? "WAYLAND_DISPLAY" : "DISPLAY");
    const QByteArray place = QUrl::toPercentEncoding(platform + QLatin1Char('-') + display);
    return QStringLiteral("%1/lockstep-%2.socket").arg(folder, QString::fromLatin1(place));
}

/// A message is a line.
QByteArray toLine(const HandOver& what)
{
    const QJsonObject object{
        {QStringLiteral("open"), QJsonArray::fromStringList(what.paths)},
        {QStringLiteral("token"), QString::fromUtf8(what.activationToken)}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

/// Empty for what is no message.
std::optional<HandOver> fromLine(const QByteArray& line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (!object[QStringLiteral("open")].isArray()) {
        return std::nullopt;
    }
    HandOver what;
    for (const QJsonValue& path : object[QStringLiteral("open")].toArray()) {
        what.paths.append(path.toString());
    }
    what.activationToken = object[QStringLiteral("token")].toString().toUtf8();
    return what;
}

/// Whether it was taken.
bool send(const QByteArray& line, const QString& path, const QDeadlineTimer& deadline)
{
    const auto left = [&] { return static_cast<int>(deadline.remainingTime()); };
    QLocalSocket socket;
    socket.connectToServer(path);
    if (!socket.waitForConnected(left())) {
        return false;
    }
    socket.write(line);
    while (!socket.canReadLine() && socket.waitForReadyRead(left())) {
    }
    return socket.readLine() == kTaken;
}

} // namespace

OnlyWindow::OnlyWindow(QObject* parent) : QObject(parent), m_path(socketPath())
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket* const socket = m_server.nextPendingConnection()) {
            connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QLocalSocket::readyRead, this, [this, socket] { serve(*socket); });
            serve(*socket);
        }
    });
}

OnlyWindow::~OnlyWindow()
{
    m_server.close(); // while the lock still says whose it is
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

bool OnlyWindow::lock()
{
    if (m_lock < 0 && !m_path.isEmpty()) {
        const QByteArray file = QFile::encodeName(m_path + QStringLiteral(".lock"));
        m_lock = ::open(file.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    return m_lock >= 0 && ::flock(m_lock, LOCK_EX | LOCK_NB) == 0;
}

bool OnlyWindow::handOver(const HandOver& what)
{
    const QDeadlineTimer deadline(kPatienceMilliseconds);
    const QByteArray line = toLine(what);
    while (!lock() && m_lock >= 0) {
        if (send(line, m_path, deadline)) {
            return true;
        }
        if (deadline.hasExpired()) {
            std::fputs(
                "lockstep: the window that is open does not answer: opening another\n", stderr);
            return false;
        }
        QThread::msleep(kPauseMilliseconds);
    }
    return false;
}

void OnlyWindow::listen()
{
    if (lock()) {
        QLocalServer::removeServer(m_path); // of a process that was killed
        if (!m_server.listen(m_path)) {     // nobody is to wait for an answer
            ::close(std::exchange(m_lock, -1));
        }
    } else if (m_lock >= 0) { // until the window that has it is closed
        QTimer::singleShot(kLookAgainMilliseconds, this, &OnlyWindow::listen);
    }
}

/// Whoever sends anything else is left without an answer.
void OnlyWindow::serve(QLocalSocket& socket)
{
    if (!socket.canReadLine()) {
        if (socket.bytesAvailable() > kMostBytes) {
            socket.abort();
        }
        return;
    }
    const auto what = fromLine(socket.readLine());
    if (!what) {
        return socket.abort();
    }
    socket.write(kTaken);
    socket.disconnectFromServer();
    emit handedOver(*what);
}

} // namespace lockstep::ui
