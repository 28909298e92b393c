// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Several functions in one, for std::visit: of each alternative the one that fits.
template<class... Functions>
struct Overloaded : Functions...
{
    using Functions::operator()...;
};
template<class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace lockstep
