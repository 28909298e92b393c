// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::test {

/// How a LocalHttpServer answers.
struct ServerBehaviour
{
    std::string content;               ///< of the one file there is
    std::string entityTag = "\"one\""; ///< none if empty
    int status = 200;                  ///< other than 200: nothing but an error page is sent
    bool honoursRange = true;          ///< else every answer is the whole file
    bool refusesRange = false;         ///< answers 416 to every request with a range
    std::size_t rangeShift = 0;        ///< a fault: ranges begin so many bytes too late
    bool sendsLength = true;           ///< else the end of the connection is the end of the file
    bool redirects = false;            ///< sends requests for / on to /file
    std::size_t bytesBeforeEnd = std::numeric_limits<std::size_t>::max(); ///< content sent at most
    bool stalls = false; ///< then keeps the connection open, in silence
};

/// What was asked for.
struct ServerRequest
{
    std::string path;
    std::string range;   ///< value of the header, or empty
    std::string ifRange; ///< value of the header, or empty
};

/// A little HTTP/1.1 server on the loopback interface, for one client at a time, in a thread of its
/// own; made to misbehave. Thread-safe.
class LocalHttpServer
{
public:
    explicit LocalHttpServer(ServerBehaviour behaviour);
    ~LocalHttpServer();
    LocalHttpServer(const LocalHttpServer&) = delete;
    LocalHttpServer& operator=(const LocalHttpServer&) = delete;

    [[nodiscard]] std::string url() const;
    /// From the next request on.
    void behave(ServerBehaviour behaviour);
    [[nodiscard]] std::vector<ServerRequest> requests() const;

private:
    void serve();
    void answer(int connection);
    void sendFile(int connection, const ServerBehaviour& behaviour, const ServerRequest& request);
    void stall(int connection) const;

    mutable std::mutex m_mutex;
    ServerBehaviour m_behaviour;
    std::vector<ServerRequest> m_requests;
    int m_socket = -1;
    int m_port = 0;
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

} // namespace lockstep::test
