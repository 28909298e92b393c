// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cstdint>
#include <memory>

namespace lockstep {

/// Sums over the devices of a training, on a stream beside that of an accelerator's steps. Enqueues
/// only. One thread at a time.
class DeviceSums
{
public:
    /// Device and stream must outlive it.
    DeviceSums(
        const Accelerator& device, Stream& steps, std::unique_ptr<Communicator> communicator);

    /// Sums what the steps' stream has made so far, float or double; that stream goes on. When is
    /// noted in `stamps`, memory of the device; null: not wanted.
    template<class Value>
    void begin(Value* values, std::int64_t count, SumStamps* stamps = nullptr)
    {
        follow();
        stamp(stamps == nullptr ? nullptr : &stamps->begin);
        m_communicator->sum(values, count, *m_sums);
        stamp(stamps == nullptr ? nullptr : &stamps->end);
    }
    /// From here on the steps' stream has the sums.
    void join();

    /// Waits for what is under way.
    void synchronize() const { m_sums->synchronize(); }

private:
    void follow();
    void stamp(std::int64_t* moment);

    const Accelerator& m_device;
    Stream& m_steps;
    std::unique_ptr<Communicator> m_communicator;
    std::unique_ptr<Stream> m_sums;
    std::unique_ptr<Event> m_isThere; ///< this device's part of a sum
    std::unique_ptr<Event> m_areSummed;
};

} // namespace lockstep
