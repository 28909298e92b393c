// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"

#include <cstdint>

namespace lockstep::ui {

/// What a chart has to show of rows [first, end) so that a few outliers don't flatten the rest:
/// from the 0.5 % to the 99.5 % quantile, each moved outwards by three quarters of their distance,
/// then back to the last value within. So the first losses of a long run or a spike go off scale,
/// ordinary noise does not. On a logarithmic axis the same of the logarithms of what is above 0.
/// Of fewer than 40 values from quartile to quartile, each moved by ten times their distance, so
/// that only what goes beyond all measure is left out; of fewer than 6 all. The quantiles are those
/// of at most 4,096 rows, evenly spread.
Extent robustExtent(const Series& series, std::int64_t first, std::int64_t end, bool isLogarithmic);

} // namespace lockstep::ui
