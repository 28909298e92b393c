// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace lockstep {

std::string errnoText()
{
    return " (" + std::generic_category().message(errno) + ")";
}

} // namespace lockstep
