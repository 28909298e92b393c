// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mixed_label.h"

#include <cstdint>
#include <span>

namespace lockstep {

// Mixup (Zhang et al., "mixup: Beyond Empirical Risk Minimization", 2018): rows 2k and 2k + 1 of a
// batch, whose examples the order has thrown together, become two mixtures of both, and so do their
// labels. So N towers mix as one does, and rows are mixed wherever a pair of them is made.

/// The share that each row of a pair keeps of itself: drawn from Beta(alpha, alpha) by
/// PhiloxStream(seed, Mixup, high and low half of `position`), the place of its first row in the
/// stream of examples, and the larger one of the share and its rest: both rows are made anyway, and
/// like this each stays nearest to its own label. Needs alpha > 0.
float drawMixup(double alpha, std::uint64_t seed, std::int64_t position);

/// Mixes two images of the same size.
void mixImages(float share, std::span<float> first, std::span<float> second);

} // namespace lockstep
