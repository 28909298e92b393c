// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "device/op.h"
#include "network/network_spec.h"

#include <memory>

// One file per op; this is the list. The context must outlive the op.
namespace lockstep::cuda {

struct CudaContext;

std::unique_ptr<Op> makeOp(const Input& input, CudaContext& context);
std::unique_ptr<Op> makeOp(const Conv2d& conv, CudaContext& context);
std::unique_ptr<Op> makeOp(const ConvTranspose2d& conv, CudaContext& context);
std::unique_ptr<Op> makeOp(const MaxPool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const AveragePool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const Lrn& lrn, CudaContext& context);
std::unique_ptr<Op> makeOp(const Dense& dense, CudaContext& context);
std::unique_ptr<Op> makeOp(const Normalization& normalization, CudaContext& context);
std::unique_ptr<Op> makeOp(const LayerNorm& norm, CudaContext& context);
std::unique_ptr<Op> makeOp(const GlobalPool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const Concat& concat, CudaContext& context);
std::unique_ptr<Op> makeOp(const Add& add, CudaContext& context);
std::unique_ptr<Op> makeOp(const Scale& scale, CudaContext& context);
std::unique_ptr<Op> makeOp(const Dropout& dropout, CudaContext& context);
std::unique_ptr<Op> makeOp(const Elementwise& elementwise, CudaContext& context);
std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss, CudaContext& context);
std::unique_ptr<Op> makeOp(const SigmoidCrossEntropy& loss, CudaContext& context);

// See Device::makeFusedOp.
/// Of a fully connected layer and its loss, if that is softmax cross-entropy of few classes; null:
/// they have ops of their own.
std::unique_ptr<Op> makeSoftmaxHead(
    const Layer& layer, const Objective& objective, const FusionSettings& settings);
/// A max pooling and a local response normalisation, in either order; null: they are not.
std::unique_ptr<Op> makePoolAndNorm(
    const Layer& first, const Layer& second, const FusionSettings& settings);

} // namespace lockstep::cuda
