// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include "base/text_bytes.h"

#include <cerrno>
#include <system_error>

namespace lockstep {

Error::Error(ErrorCode code, const std::string& message)
    : std::runtime_error(printable(message)), m_code(code)
{
}

void failFormatted(ErrorCode code, fmt::string_view text, fmt::format_args args)
{
    throw Error(code, fmt::vformat(text, args));
}

void failInternally(const char* what)
{
    throw Error(ErrorCode::Internal, std::string("internal error: ") + what);
}

std::string errnoText()
{
    return " (" + std::generic_category().message(errno) + ")";
}

} // namespace lockstep
