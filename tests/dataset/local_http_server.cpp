// SPDX-License-Identifier: Apache-2.0
#include "dataset/local_http_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace lockstep::test {
namespace {

constexpr int kPollMilliseconds = 10;

bool hasInput(int descriptor)
{
    pollfd wanted{descriptor, POLLIN, 0};
    return ::poll(&wanted, 1, kPollMilliseconds) > 0;
}

void sendAll(int connection, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return; // the client has gone, which is its right
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::string readHead(int connection)
{
    std::string head;
    std::array<char, 4096> block{};
    while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t bytes = ::recv(connection, block.data(), block.size(), 0);
        if (bytes <= 0) {
            break;
        }
        head.append(block.data(), static_cast<std::size_t>(bytes));
    }
    return head;
}

std::string headerValue(const std::string& head, const std::string& name)
{
    const auto start = head.find("\r\n" + name + ": ");
    if (start == std::string::npos) {
        return "";
    }
    const auto value = start + name.size() + 4;
    return head.substr(value, head.find("\r\n", value) - value);
}

ServerRequest parse(const std::string& head)
{
    const auto path = head.find(' ') + 1;
    return {
        head.substr(path, head.find(' ', path) - path), headerValue(head, "Range"),
        headerValue(head, "If-Range")};
}

/// The first byte of "bytes=N-".
std::size_t firstByte(const std::string& range)
{
    return std::stoul(range.substr(range.find('=') + 1));
}

bool wantsRest(const ServerBehaviour& behaviour, const ServerRequest& request)
{
    const bool isSameVersion = request.ifRange.empty() || request.ifRange == behaviour.entityTag;
    return behaviour.honoursRange && !request.range.empty() && isSameVersion;
}

} // namespace

LocalHttpServer::LocalHttpServer(ServerBehaviour behaviour)
    : m_behaviour(std::move(behaviour)), m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_socket, generic, length) != 0 || ::listen(m_socket, 8) != 0
        || ::getsockname(m_socket, generic, &length) != 0) {
        throw std::runtime_error("can't listen on the loopback interface");
    }
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

LocalHttpServer::~LocalHttpServer()
{
    m_stop = true;
    m_thread.join();
    ::close(m_socket);
}

std::string LocalHttpServer::url() const
{
    return fmt::format("http://127.0.0.1:{}/", m_port);
}

void LocalHttpServer::behave(ServerBehaviour behaviour)
{
    const std::scoped_lock lock(m_mutex);
    m_behaviour = std::move(behaviour);
}

std::vector<ServerRequest> LocalHttpServer::requests() const
{
    const std::scoped_lock lock(m_mutex);
    return m_requests;
}

void LocalHttpServer::serve()
{
    while (!m_stop) {
        if (hasInput(m_socket)) {
            const int connection = ::accept(m_socket, nullptr, nullptr);
            answer(connection);
            ::close(connection);
        }
    }
}

void LocalHttpServer::answer(int connection)
{
    const ServerRequest request = parse(readHead(connection));
    ServerBehaviour behaviour;
    {
        const std::scoped_lock lock(m_mutex);
        m_requests.push_back(request);
        behaviour = m_behaviour;
    }
    if (behaviour.refusesRange && !request.range.empty()) {
        behaviour.status = 416;
    }
    if (behaviour.status != 200) {
        sendAll(
            connection,
            fmt::format(
                "HTTP/1.1 {} Refused\r\nContent-Length: 4\r\nConnection: close\r\n\r\nno!\n",
                behaviour.status));
    } else if (behaviour.redirects && request.path == "/") {
        sendAll(
            connection, "HTTP/1.1 302 Found\r\nLocation: /file\r\nContent-Length: 0\r\n"
                        "Connection: close\r\n\r\n");
    } else {
        sendFile(connection, behaviour, request);
    }
}

void LocalHttpServer::sendFile(
    int connection, const ServerBehaviour& behaviour, const ServerRequest& request)
{
    const bool isRest = wantsRest(behaviour, request);
    const std::size_t first = isRest ? firstByte(request.range) + behaviour.rangeShift : 0;
    const std::string_view content = std::string_view(behaviour.content).substr(first);
    std::string head = isRest ? fmt::format(
                           "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\n",
                           first, behaviour.content.size() - 1, behaviour.content.size())
                              : "HTTP/1.1 200 OK\r\n";
    if (behaviour.sendsLength) {
        head += fmt::format("Content-Length: {}\r\n", content.size());
    }
    if (!behaviour.entityTag.empty()) {
        head += "ETag: " + behaviour.entityTag + "\r\n";
    }
    sendAll(connection, head + "Connection: close\r\n\r\n");
    sendAll(connection, content.substr(0, behaviour.bytesBeforeEnd));
    if (behaviour.stalls) {
        stall(connection);
    }
}

void LocalHttpServer::stall(int connection) const
{
    // Until the client gives up: then there is an end to read.
    while (!m_stop && !hasInput(connection)) {
    }
}

} // namespace lockstep::test
