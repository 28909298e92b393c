// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"
#include "network/network_spec.h"

#include <memory>

// One file per op; this is the list.
namespace lockstep::cpu {

class ConvolutionChoice;

std::unique_ptr<Op> makeOp(const Input& input);
std::unique_ptr<Op> makeOp(const Conv2d& conv, ConvolutionChoice& choice);
std::unique_ptr<Op> makeOp(const ConvTranspose2d& conv);
std::unique_ptr<Op> makeOp(const MaxPool& pool);
std::unique_ptr<Op> makeOp(const AveragePool& pool);
std::unique_ptr<Op> makeOp(const Lrn& lrn);
std::unique_ptr<Op> makeOp(const Dense& dense);
std::unique_ptr<Op> makeOp(const Normalization& normalization);
std::unique_ptr<Op> makeOp(const LayerNorm& norm);
std::unique_ptr<Op> makeOp(const GlobalPool& pool);
std::unique_ptr<Op> makeOp(const Concat& concat);
std::unique_ptr<Op> makeOp(const Add& add);
std::unique_ptr<Op> makeOp(const Scale& scale);
std::unique_ptr<Op> makeOp(const Dropout& dropout);
std::unique_ptr<Op> makeOp(const Elementwise& elementwise);
std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss);
std::unique_ptr<Op> makeOp(const SigmoidCrossEntropy& loss);

} // namespace lockstep::cpu
