// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <optional>
#include <string>

namespace lockstep::test {

/// The Error that `code` throws, if it throws one.
template<class Code>
std::optional<Error> thrownError(Code code)
{
    try {
        code();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

/// Whether the error is of this kind, is one line, and says `text`.
inline bool isErrorSaying(
    const std::optional<Error>& error, ErrorCode code, const std::string& text)
{
    const std::string what = error ? error->what() : "";
    return error && error->code() == code && what.find('\n') == std::string::npos
           && what.find(text) != std::string::npos;
}

} // namespace lockstep::test
