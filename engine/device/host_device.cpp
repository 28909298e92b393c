// SPDX-License-Identifier: Apache-2.0
#include "device/accelerator.h"
#include "device/device.h"

#include <cstring>

namespace lockstep {

std::unique_ptr<Stream> HostDevice::makeStream() const
{
    return nullptr;
}

void HostDevice::copyIn(std::byte* device, const void* host, std::size_t bytes) const
{
    std::memcpy(device, host, bytes);
}

void HostDevice::copyOut(void* host, const std::byte* device, std::size_t bytes) const
{
    std::memcpy(host, device, bytes);
}

} // namespace lockstep
