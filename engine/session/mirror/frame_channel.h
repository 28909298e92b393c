// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// A message between the two ends, a map; its key "t" says which one.
using Frame = nlohmann::json;

/// Counted up with every change that an older program would not understand: of frames, of what they
/// mean, of the tables of the run store.
inline constexpr int kRemoteProtocol = 1;

/// The other end is not there any more; Error(Io).
class LineGone : public Error
{
public:
    using Error::Error;
};

/// A stream of frames over two file descriptors, which it does not close: first some bytes that
/// tell it from what a shell prints, then each frame as its length (4 bytes, big-endian) and itself
/// as CBOR (RFC 8949). send() may be called from any thread; the rest by one.
class FrameChannel
{
public:
    FrameChannel(int in, int out) : m_in(in), m_out(out) {}

    /// Says that frames follow.
    void greet();
    /// Waits until the other end can take it. Throws LineGone.
    void send(const Frame& frame);

    /// Whether something can be read, or the line has ended, within so many milliseconds; false
    /// also once `wake`, another descriptor, can be read.
    [[nodiscard]] bool waitFor(int milliseconds, int wake = -1) const;
    /// Reads what is there, once it may be read without waiting. False at the end of the line.
    bool fill();
    /// A frame that is there whole. Error(Data) if these are no frames.
    [[nodiscard]] std::optional<Frame> take();
    /// What was printed before the greeting: by a login shell that talks, or by what is no server.
    [[nodiscard]] const std::string& printed() const noexcept { return m_printed; }

private:
    void writeAll(std::span<const std::uint8_t> bytes) const;
    bool skipGreeting();

    int m_in;
    int m_out;
    std::mutex m_sending;
    std::vector<std::uint8_t> m_bytes; ///< read and not taken, from m_at on
    std::size_t m_at = 0;
    bool m_isGreeted = false;
    std::string m_printed;
};

/// The bytes of a binary value; Error(Data) if it is none.
std::span<const std::uint8_t> bytesOf(const Frame& value);

} // namespace lockstep
