// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_check.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

namespace lockstep::cuda {

/// A few constants in the memory of the current device.
class DeviceFloats
{
public:
    DeviceFloats() = default;
    /// Done when it returns; errors as checkCuda.
    explicit DeviceFloats(const std::vector<float>& values)
    {
        const std::size_t bytes = values.size() * sizeof(float);
        void* data = nullptr;
        checkCuda(cudaMalloc(&data, bytes), "allocating memory");
        m_data.reset(static_cast<float*>(data));
        checkCuda(
            cudaMemcpy(data, values.data(), bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    }

    [[nodiscard]] const float* data() const { return m_data.get(); }

private:
    struct Free
    {
        void operator()(float* data) const { cudaFree(data); }
    };
    std::unique_ptr<float, Free> m_data;
};

} // namespace lockstep::cuda
