// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

// What a step does between the ops, the update aside. Every function enqueues and returns; all
// addresses are of the stream's device; errors as checkCuda. Results depend on the values only: no
// sum whose order could change.
namespace lockstep::cuda {

/// See AverageTask. In the order of the lanes: sum = fma(weight, value, sum), from 0. The lanes'
/// arenas and dst begin at multiples of 16 bytes. Like all that follow, does nothing once a step
/// was refused; where values are not finite, the state gets the first of them in the arena and the
/// lowest tower whose own value there is not finite. A single lane of weight 1 that is dst itself
/// is only checked.
void average(cudaStream_t stream, const AverageTask& task);

/// See MeasureTask. What it averages has the bits and the faults of average(); the sums are made in
/// an order that never changes. One block a chunk.
void measure(cudaStream_t stream, const MeasureTask& task);

/// `values` are those of the arena from `offset` on; the fault has no tower.
void check(
    cudaStream_t stream, StepState* state, std::span<const float> values, std::int64_t offset);

/// See LossCheckTask. The loss of a tower, as far as it can be infinite: the sum of its objectives'
/// and of the weight decay.
void checkLosses(cudaStream_t stream, const LossCheckTask& task);

/// See FinishTask. The report's number is written last: a host
/// that finds it finds the rest.
void finish(cudaStream_t stream, const FinishTask& task);

/// The device's clock when all before it in the stream is done.
void stamp(cudaStream_t stream, std::int64_t* place);

} // namespace lockstep::cuda
