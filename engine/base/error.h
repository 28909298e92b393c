// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace lockstep {

/// What kind of thing went wrong; decides the exit code of the programs and what a person is
/// offered.
enum class ErrorCode {
    BadInput,    ///< a setting, flag or argument that can't be used as given
    Data,        ///< a file whose content is not what it should be
    Io,          ///< the file system or the network refused
    Device,      ///< a device is missing or failed
    OutOfMemory, ///< memory that was asked for is not there
    Numeric,     ///< a loss or gradient is not finite
    Cancelled,   ///< a person asked to stop
    Internal,    ///< an impossible state: a defect of ours
};

/// The one exception type of the engine. The text is one line for a person: it names the culprit
/// (file, field, tower, step) and says what to do.
class Error : public std::runtime_error
{
public:
    /// Names in the message may hold any bytes: it becomes printable().
    Error(ErrorCode code, const std::string& message);
    [[nodiscard]] ErrorCode code() const noexcept { return m_code; }

private:
    ErrorCode m_code;
};

/// What fail() does once the compiler has held its text against the arguments: here and not in the
/// callers, so that they read no more of fmt than its core.
[[noreturn]] void failFormatted(ErrorCode code, fmt::string_view text, fmt::format_args args);

/// Throws Error with a formatted text.
template<class... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> text, Args&&... args)
{
    failFormatted(code, text, fmt::make_format_args(args...));
}

/// Throws Error(Internal) for this state.
[[noreturn]] void failInternally(const char* what);

/// Throws Error(Internal): for states that only a defect of ours can bring about. Checked in every
/// build, because a dashboard must not die.
inline void require(bool condition, const char* what)
{
    if (!condition) {
        failInternally(what);
    }
}

/// " (No such file or directory)" for the current errno; append it to an Io message.
std::string errnoText();

} // namespace lockstep
