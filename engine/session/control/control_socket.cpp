// SPDX-License-Identifier: Apache-2.0
#include "session/control/control_socket.h"

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/error.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestLine = 65536;
constexpr int kWaitingConnections = 16;
constexpr int kConnectSeconds = 5;

fs::path socketIn(const fs::path& runFolder)
{
    return runFolder / "control.sock";
}

fs::path pointerIn(const fs::path& runFolder)
{
    return runFolder / "control.path";
}

bool fits(const fs::path& path)
{
    return path.native().size() < sizeof(sockaddr_un::sun_path);
}

sockaddr_un addressOf(const fs::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(static_cast<char*>(address.sun_path), path.c_str(), path.native().size());
    return address;
}

/// A folder that only this user can write to.
fs::path privateFolder()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime != nullptr && fs::path(runtime).is_absolute()) {
        return runtime;
    }
    fs::path folder = fmt::format("/tmp/lockstep-{}", ::geteuid());
    ::mkdir(folder.c_str(), S_IRWXU);
    struct stat status = {};
    const bool isOurs = ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)
                        && status.st_uid == ::geteuid() && (status.st_mode & 077U) == 0;
    if (!isOurs) {
        fail(
            ErrorCode::Io, "{}: not a folder that only you can open; set XDG_RUNTIME_DIR",
            folder.string());
    }
    return folder;
}

/// The same for every process that means this run.
fs::path socketElsewhere(const fs::path& runFolder)
{
    std::error_code error;
    const std::string name = fs::canonical(runFolder, error).string();
    if (error) {
        fail(ErrorCode::Io, "{}: {}", runFolder.string(), error.message());
    }
    return privateFolder() / fmt::format("lockstep-{:016x}.sock", std::hash<std::string>()(name));
}

Descriptor listenAt(const fs::path& path)
{
    Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ::unlink(path.c_str());
    const sockaddr_un address = addressOf(path);
    // Linux takes the mode of the socket over to its file, so there is no moment in which others
    // could open it.
    const bool isListening =
        listener.isOpen() && ::fchmod(listener.get(), S_IRUSR | S_IWUSR) == 0
        && ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0
        && ::listen(listener.get(), kWaitingConnections) == 0;
    return isListening ? std::move(listener) : Descriptor();
}

Descriptor connectTo(const fs::path& path)
{
    if (!fits(path)) {
        return Descriptor();
    }
    Descriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = addressOf(path);
    // A process that was halted takes no connections once its queue is full.
    const timeval patience{kConnectSeconds, 0};
    const bool isConnected =
        connection.isOpen()
        && ::setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0
        && ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address))
               == 0;
    return isConnected ? std::move(connection) : Descriptor();
}

std::string receive(
    const Descriptor& connection, int milliseconds, std::size_t most,
    const std::function<bool(const std::string& bytes)>& isWhole)
{
    std::string bytes;
    std::array<char, 4096> part{};
    const Stopwatch watch;
    while (bytes.size() < most && !isWhole(bytes)) {
        const int left = milliseconds - static_cast<int>(watch.seconds() * 1000.0);
        pollfd wanted{connection.get(), POLLIN, 0};
        const int ready = left <= 0 ? 0 : ::poll(&wanted, 1, left);
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        const ssize_t count = ready > 0 ? ::recv(connection.get(), part.data(), part.size(), 0) : 0;
        if (count <= 0) {
            break;
        }
        bytes.append(part.data(), static_cast<std::size_t>(count));
    }
    return bytes;
}

} // namespace

Descriptor::~Descriptor()
{
    if (isOpen()) {
        ::close(m_number);
    }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(m_number, other.m_number);
    return *this;
}

ControlListener::ControlListener(const fs::path& runFolder) : m_path(socketIn(runFolder))
{
    std::error_code ignored;
    fs::remove(pointerIn(runFolder), ignored);
    if (fits(m_path)) {
        m_socket = listenAt(m_path);
    }
    if (m_socket.isOpen()) {
        return;
    }
    m_path = socketElsewhere(runFolder);
    m_socket = fits(m_path) ? listenAt(m_path) : Descriptor();
    if (!m_socket.isOpen()) {
        fail(
            ErrorCode::Io, "{}: no control socket can be made for it at {}{}", runFolder.string(),
            m_path.string(), errnoText());
    }
    m_pointer = pointerIn(runFolder);
    try {
        AtomicFile pointer(m_pointer);
        pointer.write(m_path.string() + "\n");
        pointer.commit();
    } catch (const Error&) {
        ::unlink(m_path.c_str());
        throw;
    }
}

ControlListener::~ControlListener()
{
    ::unlink(m_path.c_str());
    if (!m_pointer.empty()) {
        ::unlink(m_pointer.c_str());
    }
}

Descriptor connectForControl(const fs::path& runFolder)
{
    std::ifstream pointer(pointerIn(runFolder));
    std::string elsewhere;
    std::getline(pointer, elsewhere);
    return connectTo(elsewhere.empty() ? socketIn(runFolder) : fs::path(elsewhere));
}

bool isPeerTrusted(const Descriptor& connection)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
           && (peer.uid == ::geteuid() || peer.uid == 0);
}

bool sendBytes(const Descriptor& connection, const std::string& bytes)
{
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count =
            ::send(connection.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

std::string receiveBytes(const Descriptor& connection, int milliseconds, std::size_t most)
{
    return receive(connection, milliseconds, most, [](const std::string&) { return false; });
}

std::string receiveLine(const Descriptor& connection, int milliseconds)
{
    const std::string text =
        receive(connection, milliseconds, kLongestLine, [](const std::string& bytes) {
            return bytes.find('\n') != std::string::npos;
        });
    return text.substr(0, text.find('\n'));
}

} // namespace lockstep
