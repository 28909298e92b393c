// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace lockstep::ui {

/// The lines under the batch: examples of a step; whole steps of the first epoch and how many of
/// its examples are carried over into the second (none are dropped); length of the run in epochs.
/// Where these make no sense, empty. Without `examples` only what holds for any data.
QString batchArithmeticText(const RunConfig& given, std::optional<std::int64_t> examples);

/// Another learning rate to use.
struct RateHint
{
    double rate = 0.0;
    /// Examples of a step that the network was published with, from which the linear scaling rule
    /// starts; 0: the rate was found by trying.
    std::int64_t baseBatch = 0;

    [[nodiscard]] QString text() const;
    /// How it was found, or the rule, its source and its limits.
    [[nodiscard]] QString source() const;
};

/// What Find Learning Rate `found` for this configuration, 0 being none; where it was not asked,
/// what the linear scaling rule makes of the rate that the network was published with, for another
/// batch than the one that a run begins with when nothing was set up. Nothing where the
/// configuration has that rate already, is not valid, or is of a network that no rate was published
/// for, nor where the first phase has a rate of its own.
std::optional<RateHint> rateHint(const RunConfig& config, std::optional<double> found = {});

/// Why nothing is learnt with this rate, or that of a phase; empty for any other.
QString rateWarning(const RunConfig& config);

/// 0.1, 0.0125, 1.5e-07: as many digits as it takes, four at most.
QString rateText(double rate);

/// What the towers of a run that is set up need of their GPUs, in words; empty without GPUs: the
/// memory of the computer is RunEstimator's.
struct MemoryNote
{
    QString text;
    bool isTooMuch = false; ///< for one of the devices
};

/// Plans the towers, which may take seconds: for a thread of its own. Null where they can't be
/// planned, which is said elsewhere.
std::shared_ptr<const MemoryNote> memoryNote(const RunConfig& config);

} // namespace lockstep::ui
