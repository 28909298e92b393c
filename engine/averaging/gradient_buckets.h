// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/parameter_arena.h"
#include "network/network_spec.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// What a training cuts its gradients into that processors of several ranks exchange, and several
/// accelerators.
constexpr int kMostHostBuckets = 8;
constexpr int kMostDeviceBuckets = 4;

/// A range of the arena whose gradients are summed together, as soon as the backward pass has made
/// them.
struct GradientBucket
{
    std::int64_t offset = 0;
    std::int64_t count = 0;
    int firstLayer = 0; ///< ready when the backward pass has done this layer and all after it
};

/// Cuts the arena into at most `most` buckets of whole layers, in the order in which they get
/// ready, so that the sum of one can run beside the backward pass of the next ones. A bucket is
/// closed when it holds a share of the arena, and never less than 1 MiB: each sum has a latency of
/// its own (first-small-then-large as in Li et al., "PyTorch Distributed", VLDB 2020).
std::vector<GradientBucket> planBuckets(
    const NetworkSpec& network, const ParameterLayout& layout, int most);

/// Of a bucket so many values travel together through a chain of ranks, sums one way and means
/// back: whole chunks. A bucket takes as long as its bytes on the link and 2 (R - 1) pieces to fill
/// the chain of R ranks, so these are held at an eighth of the bytes; at most 256 KiB, beyond which
/// fewer messages bring nothing, and never less than one chunk.
std::int64_t pieceValues(std::int64_t bucketElements, int ranks);

} // namespace lockstep
