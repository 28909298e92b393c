// SPDX-License-Identifier: Apache-2.0
#include "session/mirror/frame_channel.h"

#include "base/error.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view kGreeting = "\r\n\x01lockstep\x02\r\n";
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kMostFrameBytes = std::size_t{64} << 20U;
/// A shell says less than that.
constexpr std::size_t kMostPrinted = 65536;
constexpr std::size_t kReadAtOnce = 65536;

/// Builds a frame, unless it is nested deeper than any of ours: nlohmann's reader calls itself for
/// each level.
class FrameBuilder : public nlohmann::detail::json_sax_dom_parser<Frame>
{
public:
    explicit FrameBuilder(Frame& frame) : json_sax_dom_parser(frame, true) {}

    // NOLINTBEGIN(readability-identifier-naming): the names are nlohmann's
    bool start_object(std::size_t size)
    {
        return enter() && json_sax_dom_parser::start_object(size);
    }
    bool start_array(std::size_t size) { return enter() && json_sax_dom_parser::start_array(size); }
    bool end_object() { return leave() && json_sax_dom_parser::end_object(); }
    bool end_array() { return leave() && json_sax_dom_parser::end_array(); }
    // NOLINTEND(readability-identifier-naming)

private:
    static constexpr int kDeepest = 8;
    bool enter() { return ++m_depth <= kDeepest; }
    bool leave()
    {
        --m_depth;
        return true;
    }

    int m_depth = 0;
};

[[noreturn]] void failFrames()
{
    fail(ErrorCode::Data, "what came over the line is damaged");
}

Frame decoded(std::span<const std::uint8_t> bytes)
{
    Frame frame;
    FrameBuilder builder(frame);
    try {
        if (!Frame::sax_parse(bytes.begin(), bytes.end(), &builder, Frame::input_format_t::cbor)) {
            failFrames();
        }
    } catch (const nlohmann::json::exception&) {
        failFrames();
    }
    if (!frame.is_object() || !frame.contains("t") || !frame["t"].is_string()) {
        failFrames();
    }
    return frame;
}

} // namespace

void FrameChannel::writeAll(std::span<const std::uint8_t> bytes) const
{
    while (!bytes.empty()) {
        // A socket tells that its other end is gone; a pipe would end this process.
        ssize_t count = ::send(m_out, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == ENOTSOCK) {
            count = ::write(m_out, bytes.data(), bytes.size());
        }
        if (count < 0 && errno == EAGAIN) {
            pollfd wanted{m_out, POLLOUT, 0};
            ::poll(&wanted, 1, -1);
        } else if (count <= 0 && errno != EINTR) {
            throw LineGone(ErrorCode::Io, "the line is gone" + errnoText());
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
}

void FrameChannel::greet()
{
    const std::scoped_lock lock(m_sending);
    writeAll({reinterpret_cast<const std::uint8_t*>(kGreeting.data()), kGreeting.size()});
}

void FrameChannel::send(const Frame& frame)
{
    std::vector<std::uint8_t> bytes(kLengthBytes);
    Frame::to_cbor(frame, bytes);
    const std::size_t length = bytes.size() - kLengthBytes;
    require(length <= kMostFrameBytes, "a frame that is too large");
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        bytes[i] = static_cast<std::uint8_t>(length >> (8 * (kLengthBytes - 1 - i)));
    }
    const std::scoped_lock lock(m_sending);
    writeAll(bytes);
}

bool FrameChannel::waitFor(int milliseconds, int wake) const
{
    std::array<pollfd, 2> wanted{pollfd{m_in, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
    return ::poll(wanted.data(), wanted.size(), milliseconds) > 0 && wanted[0].revents != 0;
}

bool FrameChannel::fill()
{
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_at));
    m_at = 0;
    const std::size_t known = m_bytes.size();
    m_bytes.resize(known + kReadAtOnce);
    const ssize_t count = ::read(m_in, m_bytes.data() + known, kReadAtOnce);
    const bool isAgain = count < 0 && (errno == EINTR || errno == EAGAIN);
    m_bytes.resize(known + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return count > 0 || isAgain;
}

bool FrameChannel::skipGreeting()
{
    const auto found = std::search(
        m_bytes.begin(), m_bytes.end(), kGreeting.begin(), kGreeting.end(),
        [](std::uint8_t byte, char wanted) { return byte == static_cast<std::uint8_t>(wanted); });
    m_printed.assign(m_bytes.begin(), found);
    m_isGreeted = found != m_bytes.end();
    if (m_isGreeted) {
        m_at = m_printed.size() + kGreeting.size();
    } else if (m_bytes.size() > kMostPrinted) {
        fail(ErrorCode::Data, "what came over the line is not from lockstep-train");
    }
    return m_isGreeted;
}

std::optional<Frame> FrameChannel::take()
{
    if (!m_isGreeted && !skipGreeting()) {
        return std::nullopt;
    }
    const auto rest = std::span(m_bytes).subspan(m_at);
    if (rest.size() < kLengthBytes) {
        return std::nullopt;
    }
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        length = length << 8U | rest[i];
    }
    if (length == 0 || length > kMostFrameBytes) {
        failFrames();
    }
    if (rest.size() - kLengthBytes < length) {
        return std::nullopt;
    }
    m_at += kLengthBytes + length;
    return decoded(rest.subspan(kLengthBytes, length));
}

std::span<const std::uint8_t> bytesOf(const Frame& value)
{
    if (!value.is_binary()) {
        failFrames();
    }
    return value.get_binary();
}

} // namespace lockstep
