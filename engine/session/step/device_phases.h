// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "device/step_state.h"
#include "metrics/device_clocks.h"
#include "session/step/stepper.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep {

/// The stamps of a step, as they lie in the device's memory and in its report; the TowerStamps of
/// the device's towers follow.
struct StepStamps
{
    std::int64_t updateBegins = 0;
    std::array<SumStamps, kMostDeviceBuckets> sums{}; ///< by bucket; 0: there is no such sum
};

/// What is known of a tower in a step, by the clock of its device.
struct TowerTimes
{
    int device = 0; ///< among all of the training
    TowerStamps tower;
    StepStamps ofDevice;
};

/// Makes phases out of what devices noted, on one line of time: that of the first own device.
class DevicePhases
{
public:
    /// So many devices of all ranks, of which number `first` is the first own one. Of several
    /// passes the first one was timed and stands for all.
    DevicePhases(int devices, int first, int passes = 1)
        : m_devices(static_cast<std::size_t>(devices)), m_first(first), m_passes(passes),
          m_clocks(m_devices, static_cast<std::size_t>(first))
    {
    }

    /// Compares the clocks by a step, whose towers these are.
    void compareClocks(std::span<const TowerTimes> towers);
    /// After the last step that is compared before tell().
    void clocksCompared() { m_clocks.update(); }

    /// Fills in the phases of a step of known length, which ended at `end`. Of the time before the
    /// first tower began up to `mostInput` seconds were spent waiting for the batch.
    void tell(
        std::span<const TowerTimes> towers, std::int64_t end, double mostInput,
        StepOutcome& outcome) const;

    [[nodiscard]] double clockUncertainty() const { return m_clocks.uncertaintySeconds(); }

private:
    [[nodiscard]] std::int64_t onReference(const TowerTimes& of, std::int64_t nanoseconds) const
    {
        return m_clocks.toReference(static_cast<std::size_t>(of.device), nanoseconds);
    }
    [[nodiscard]] ExchangeSeconds exchangeOf(
        std::span<const TowerTimes> towers, const StepStamps& own, std::int64_t lastArrival) const;

    std::size_t m_devices;
    int m_first;
    int m_passes;
    DeviceClocks m_clocks;
};

} // namespace lockstep
