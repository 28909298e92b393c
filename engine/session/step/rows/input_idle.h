// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// How long a device that runs ahead of the host stood still for want of data. The host prepares a
/// block of steps while the device still computes the one before: what the host waits for its
/// batches is lost to nobody, as long as the device is busy. Only the device's clock tells: the
/// first step of a block seems to take longer by the time in which the device had nothing to do.
class InputIdle
{
public:
    /// Seconds, by the device's clock except for the first.
    struct Block
    {
        double waited = 0.0;     ///< of the host, for all batches of the block
        double firstStep = 0.0;  ///< from the end of the step before it to its own end
        double otherSteps = 0.0; ///< of all others together
        int others = 0;
        bool isAfterIdle = false; ///< the device had nothing to do when the host began to wait
    };

    /// The seconds of the first step in which the device stood still, the blocks one after the
    /// other.
    double add(const Block& block);

private:
    /// Of a step that waited for nothing. 0: there was none yet, and what the host waited is the
    /// best that is known.
    double m_busySeconds = 0.0;
};

} // namespace lockstep
