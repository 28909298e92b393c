// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

// Pieces of work that nothing but the processor, or the memory, limits. One call takes microseconds
// to milliseconds on one thread and returns how much it did.
namespace lockstep::cpu {

/// FLOP of multiply-adds in float32, enough independent ones to fill the pipelines, all on
/// registers.
double multiplyAdds();

/// FLOP of bfloat16 dot product instructions, as multiplyAdds(). Only where CpuDevice has bfloat16.
double bfloat16DotProducts();
/// Copies floats past the caches. Both addresses are multiples of 64, `count` one of 16.
void streamCopy(const float* from, std::int64_t count, float* to);

/// A product of two large matrices by oneDNN, planned for, and to be run by, the calling thread
/// alone. Returns FLOP.
std::function<double()> bfloat16MatrixProduct();

/// Copies between two arrays of `bytes` bytes that the calling thread was the first to touch, a
/// part of them at each call: until its turn comes again, caches have forgotten it. Returns the
/// bytes read and written. Error(OutOfMemory) if there is no room for the arrays.
std::function<double()> copyBetween(std::size_t bytes);

} // namespace lockstep::cpu
