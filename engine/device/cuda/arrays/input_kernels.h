// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device_input.h"
#include "device/op.h"

#include <cuda_runtime_api.h>

#include <cstddef>

// The rows of a replica, as its input layer gives them to the network: `dst` has a CudaLayout whose
// channels beyond the images' become zeros, and begins at a multiple of 16 bytes. The labels go to
// input.rowLabels, masks and mixed labels, where there are any, to input.rowMasks and rowMixed. The
// functions enqueue and return; errors as checkCuda.
namespace lockstep::cuda {

/// From rows that were made elsewhere: input.images.
void convertRows(
    cudaStream_t stream, const DeviceInput& input, const TensorPlan& plan, std::byte* dst);

/// From the data set on the device: what lockstep::Distorter makes of drawDistortion()'s numbers.
/// Images of at most 64 channels.
void augmentRows(
    cudaStream_t stream, const DeviceInput& input, const TensorPlan& plan, std::byte* dst);

} // namespace lockstep::cuda
