// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// What the exchange of a step's gradients between ranks took.
struct ExchangeSeconds
{
    double underWay = 0.0; ///< while a bucket that was ready had no mean yet
    double exposed = 0.0;  ///< of these, behind the backward pass
};

} // namespace lockstep
