// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// The lines under the batch: examples of a step; whole steps of the first epoch and how many of
/// its examples are carried over into the second (none are dropped); length of the run in epochs.
/// Where these make no sense, empty. Without `examples` only what holds for any data.
QString batchArithmeticText(const RunConfig& given, std::optional<std::int64_t> examples);

/// What the linear scaling rule makes of the rate that the network was published with.
struct RateHint
{
    double rate = 0.0;          ///< for this global batch
    std::int64_t baseBatch = 0; ///< examples of a step that the rate it was published with is for

    [[nodiscard]] QString text() const;
    /// The rule, its source and its limits.
    static QString source();
};

/// Nothing where the configuration has that rate already, is not valid, or is of a network that no
/// rate was published for.
std::optional<RateHint> rateHint(const RunConfig& config);

/// Why nothing is learnt with this rate, or that of a phase; empty for any other.
QString rateWarning(const RunConfig& config);

/// 0.1, 0.0125, 1.5e-07: as many digits as it takes, four at most.
QString rateText(double rate);

} // namespace lockstep::ui
