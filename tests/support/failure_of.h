// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QString>

#include <optional>
#include <string>

namespace lockstep::test {

/// The Error that a call throws; none if it throws none.
template<class Call>
std::optional<Error> errorOf(Call call)
{
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// What it says; empty if it throws none.
template<class Call>
QString failureOf(Call call)
{
    const auto error = errorOf(call);
    return error ? QString(error->what()) : QString();
}

/// True if the error is of this kind and its text, one line, has all these words; prints it where
/// that is not so.
template<class... Words>
bool tells(const std::optional<Error>& error, ErrorCode code, const Words&... words)
{
    const std::string text = error ? error->what() : "";
    const bool isTold = error && error->code() == code && text.find('\n') == std::string::npos
                        && ((text.find(words) != std::string::npos) && ...);
    if (!isTold) {
        qWarning("%s", error ? text.c_str() : "no error");
    }
    return isTold;
}

} // namespace lockstep::test
