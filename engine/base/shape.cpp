// SPDX-License-Identifier: Apache-2.0
#include "base/shape.h"

#include <fmt/core.h>

namespace lockstep {

std::string toString(const Shape& shape)
{
    return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

} // namespace lockstep
