// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace lockstep {

/// A file descriptor that is closed at the end.
class Descriptor
{
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const noexcept { return m_number; }
    [[nodiscard]] bool isOpen() const noexcept { return m_number >= 0; }

private:
    int m_number;
};

/// Listens for those who attach to a run, on a socket that only its owner can open. It lies at
/// RUN/control.sock; or, where that path is too long for a socket (107 bytes) or the file system
/// can't hold one, in $XDG_RUNTIME_DIR (else a folder of this user in /tmp), and then its name is
/// the text of RUN/control.path.
class ControlListener
{
public:
    /// The run must be locked by this process: what an earlier one left is removed. Error(Io) names
    /// the folder.
    explicit ControlListener(const std::filesystem::path& runFolder);
    /// Takes the socket away.
    ~ControlListener();
    ControlListener(const ControlListener&) = delete;
    ControlListener& operator=(const ControlListener&) = delete;

    [[nodiscard]] int get() const noexcept { return m_socket.get(); }

private:
    Descriptor m_socket;
    std::filesystem::path m_path;
    std::filesystem::path m_pointer; ///< RUN/control.path; empty if the socket lies in the folder
};

/// Connects to the process that trains a run. Not open if nobody listens, or takes no connection
/// within some seconds; then errno says why.
Descriptor connectForControl(const std::filesystem::path& runFolder);

/// Whether the process at the other end is of the same user, or of root.
bool isPeerTrusted(const Descriptor& connection);

/// Sends them all. False if the other end is gone.
bool sendBytes(const Descriptor& connection, const std::string& bytes);
/// Reads to the end of what the other end sends; gives up after `milliseconds`, or `most` bytes,
/// with what there is.
std::string receiveBytes(const Descriptor& connection, int milliseconds, std::size_t most);
/// Reads a line without its end; gives up after `milliseconds`, or 64 KiB, with what there is.
std::string receiveLine(const Descriptor& connection, int milliseconds);

} // namespace lockstep
