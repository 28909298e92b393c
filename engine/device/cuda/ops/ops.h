// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"
#include "network/network_spec.h"

#include <memory>

// One file per op; this is the list. The context must outlive the op.
namespace lockstep::cuda {

struct CudaContext;

std::unique_ptr<Op> makeOp(const Input& input, CudaContext& context);
std::unique_ptr<Op> makeOp(const Conv2d& conv, CudaContext& context);
std::unique_ptr<Op> makeOp(const MaxPool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const AveragePool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const Lrn& lrn, CudaContext& context);
std::unique_ptr<Op> makeOp(const Dense& dense, CudaContext& context);
std::unique_ptr<Op> makeOp(const Normalization& normalization, CudaContext& context);
std::unique_ptr<Op> makeOp(const GlobalPool& pool, CudaContext& context);
std::unique_ptr<Op> makeOp(const Concat& concat, CudaContext& context);
std::unique_ptr<Op> makeOp(const Dropout& dropout, CudaContext& context);
std::unique_ptr<Op> makeOp(const Elementwise& elementwise, CudaContext& context);
std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss, CudaContext& context);
std::unique_ptr<Op> makeOp(const SigmoidCrossEntropy& loss, CudaContext& context);

} // namespace lockstep::cuda
