// SPDX-License-Identifier: Apache-2.0
#include "base/enum_names.h"
#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/matmul_plan.h"

#include <fmt/core.h>

namespace lockstep::cuda {
namespace {

constexpr EnumNames<ConvolutionDirection, 3> kDirections{{"fprop", "dgrad", "wgrad"}};
constexpr EnumNames<MatmulEpilogue, 6> kEpilogues{
    {"", " + bias", " + bias + relu", " + bias + relu + mask", " + relu gradient",
     " + bias gradient"}};

} // namespace

std::string toString(const ConvolutionSpec& spec)
{
    return fmt::format(
        "{} {} {}x{} * {}x{}x{}{}, stride {}x{}, padding {}x{}{}{}{}",
        kDirections.of(spec.direction), toString(spec.precision), spec.examples, toString(spec.src),
        spec.dst.channels, spec.kernel.height, spec.kernel.width,
        spec.groups == 1 ? "" : fmt::format(" in {} groups", spec.groups), spec.stride.height,
        spec.stride.width, spec.padding.height, spec.padding.width, spec.hasBias ? " + bias" : "",
        spec.hasRelu ? " + relu" : "", spec.adds ? " + sum" : "");
}

std::string toString(const MatmulSpec& spec)
{
    return fmt::format(
        "matmul {} {}x{}x{} {}{} to {}{}", toString(spec.precision), spec.rows, spec.columns,
        spec.depth, spec.transposeA ? 't' : 'n', spec.transposeB ? 't' : 'n',
        spec.dstType == DataType::Float32 ? "float32" : "bfloat16", kEpilogues.of(spec.epilogue));
}

} // namespace lockstep::cuda
