// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <string>
#include <vector>

// In place of cuDNN and cuBLASLt, for an emulated device: planConvolution and planMatmul by plain
// loops in float64. Results are rounded once, to the type of what is written. With
// LOCKSTEP_EMULATED_CHOICE set in the environment there are three algorithms for everything, which
// sum in other orders, and one is chosen, kept and found again as on a real GPU.
namespace lockstep::test {

/// Forgets what was planned and what shall fail or be wrong.
void resetFakeLibraries();

/// The next plan, or the one `after` plans later, throws Error(code).
void failNextPlan(ErrorCode code, int after = 0);

/// What the fake cuBLASLt does besides products: everything; all but to mask gradients and to sum
/// those of biases, for which there are kernels of ours; nor to make masks.
enum class Epilogues { All, OfMasks, OfForward };
void knowEpilogues(Epilogues known);

/// From now on the weight gradients of convolutions are half as large again as they should be.
void spoilWeightGradients();

/// The specs that were planned, as toString says them, with " <- <algorithm>" where one was asked
/// for.
std::vector<std::string> plannedSpecs();

} // namespace lockstep::test
