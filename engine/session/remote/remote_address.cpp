// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_address.h"

#include "base/error.h"

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cstddef>

namespace lockstep {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::string_view kHome = "/~/";
constexpr int kLastPort = 65535;

[[noreturn]] void failAddress(const std::string& text, const char* what)
{
    fail(
        ErrorCode::BadInput, "{}: {}; write it as ssh://[user@]host[:port]/folder/of/runs", text,
        what);
}

std::string decoded(const std::string& text, std::string_view path)
{
    std::string plain;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] != '%') {
            plain += path[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view digits = path.substr(i + 1, 2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2 || byte == 0) {
            failAddress(text, "after a % in the path stand two hexadecimal digits");
        }
        plain += static_cast<char>(byte);
        i += 2;
    }
    return plain;
}

/// Only what parseRemoteAddress() would not read as it is.
std::string encoded(const std::string& path)
{
    std::string text;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        text += std::isspace(byte) != 0 || c == '%' || byte < ' ' ? fmt::format("%{:02X}", byte)
                                                                  : std::string(1, c);
    }
    return text;
}

int parsePort(const std::string& text, std::string_view digits)
{
    int port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size() || port < 1
        || port > kLastPort) {
        failAddress(text, "its port is no number from 1 to 65535");
    }
    return port;
}

/// "host", "host:22", "[::1]:22".
void takeHost(RemoteAddress& address, const std::string& text, std::string_view host)
{
    std::string_view port;
    if (host.starts_with('[')) {
        const std::size_t close = host.find(']');
        if (close == std::string_view::npos) {
            failAddress(text, "its host has a [ without a ]");
        }
        port = host.substr(close + 1);
        host = host.substr(1, close - 1);
    } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
        port = host.substr(colon);
        host = host.substr(0, colon);
    }
    if (!port.empty()) {
        if (port.front() != ':') {
            failAddress(text, "behind the ] of its host stands no :port");
        }
        address.port = parsePort(text, port.substr(1));
    }
    address.host = host;
}

/// What would be an option to ssh, or several words.
bool isSafe(std::string_view word)
{
    return !word.starts_with('-')
           && word.find_first_of(" \t\r\n'\"\\;|&<>$`()") == std::string_view::npos;
}

} // namespace

bool isRemoteAddress(std::string_view text)
{
    return text.starts_with(kScheme);
}

RemoteAddress parseRemoteAddress(const std::string& text)
{
    RemoteAddress address;
    std::string_view rest = text;
    if (isRemoteAddress(rest)) {
        rest.remove_prefix(kScheme.size());
    }
    const std::size_t slash = rest.find('/');
    std::string_view authority = rest.substr(0, slash);
    if (slash != std::string_view::npos) {
        std::string_view path = rest.substr(slash);
        if (path == "/~") {
            path = kHome;
        }
        path.remove_prefix(path.starts_with(kHome) ? 1 : 0);
        address.path = path == "/" ? std::string() : decoded(text, path);
    }
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
        address.user = authority.substr(0, at);
        authority.remove_prefix(at + 1);
        if (address.user.empty() || address.user.find(':') != std::string::npos) {
            failAddress(
                text, address.user.empty() ? "it has no user before the @"
                                           : "it holds a password, which ssh does not take");
        }
    }
    takeHost(address, text, authority);
    if (address.host.empty()) {
        failAddress(text, "it names no host");
    }
    if (!isSafe(address.host) || !isSafe(address.user)) {
        failAddress(text, "its host or user is no name");
    }
    return address;
}

std::string RemoteAddress::machine() const
{
    const bool isVersion6 = host.find(':') != std::string::npos;
    return (user.empty() ? "" : user + "@") + (isVersion6 && port != 0 ? "[" + host + "]" : host)
           + (port == 0 ? "" : fmt::format(":{}", port));
}

std::string RemoteAddress::text() const
{
    const bool isVersion6 = host.find(':') != std::string::npos;
    return std::string(kScheme) + (user.empty() ? "" : user + "@")
           + (isVersion6 ? "[" + host + "]" : host) + (port == 0 ? "" : fmt::format(":{}", port))
           + (path.starts_with('~') ? "/" : "") + encoded(path);
}

} // namespace lockstep
