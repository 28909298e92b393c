// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_sums.h"

#include <utility>

namespace lockstep {

DeviceSums::DeviceSums(
    const Accelerator& device, Stream& steps, std::unique_ptr<Communicator> communicator)
    : m_device(device), m_steps(steps), m_communicator(std::move(communicator)),
      m_sums(device.makeStream()), m_isThere(device.makeEvent()), m_areSummed(device.makeEvent())
{
}

void DeviceSums::follow()
{
    m_steps.record(*m_isThere);
    m_sums->waitFor(*m_isThere);
}

void DeviceSums::stamp(std::int64_t* moment)
{
    if (moment != nullptr) {
        m_device.enqueueStamp(*m_sums, moment);
    }
}

void DeviceSums::join()
{
    m_sums->record(*m_areSummed);
    m_steps.waitFor(*m_areSummed);
}

} // namespace lockstep
