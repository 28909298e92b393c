// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "device/op.h"
#include "network/network_spec.h"

#include <memory>

// One file per op; this is the list.
namespace lockstep::cpu {

std::unique_ptr<Op> makeOp(const Input& input);
std::unique_ptr<Op> makeOp(const Conv2d& conv);
std::unique_ptr<Op> makeOp(const MaxPool& pool);
std::unique_ptr<Op> makeOp(const Lrn& lrn);
std::unique_ptr<Op> makeOp(const Dense& dense);
std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss);

template<class Kind>
std::unique_ptr<Op> makeOp(const Kind& /*kind*/)
{
    fail(ErrorCode::BadInput, "this kind of layer or loss is not available on this device yet");
}

} // namespace lockstep::cpu
