// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/matmul_plan.h"

#include <fmt/format.h>

namespace lockstep::cuda {
namespace {

const char* nameOf(ConvolutionDirection direction)
{
    switch (direction) {
    case ConvolutionDirection::Forward:
        break;
    case ConvolutionDirection::DataGradient:
        return "dgrad";
    case ConvolutionDirection::WeightGradient:
        return "wgrad";
    }
    return "fprop";
}

const char* nameOf(MatmulEpilogue epilogue)
{
    switch (epilogue) {
    case MatmulEpilogue::None:
        break;
    case MatmulEpilogue::Bias:
        return " + bias";
    case MatmulEpilogue::BiasRelu:
        return " + bias + relu";
    }
    return "";
}

} // namespace

std::string toString(const ConvolutionSpec& spec)
{
    return fmt::format(
        "{} {} {}x{} * {}x{}x{}, stride {}x{}, padding {}x{}{}{}", nameOf(spec.direction),
        toString(spec.precision), spec.examples, toString(spec.src), spec.dst.channels,
        spec.kernel.height, spec.kernel.width, spec.stride.height, spec.stride.width,
        spec.padding.height, spec.padding.width, spec.hasBias ? " + bias" : "",
        spec.hasRelu ? " + relu" : "");
}

std::string toString(const MatmulSpec& spec)
{
    return fmt::format(
        "matmul {} {}x{}x{} {}{} to {}{}", toString(spec.precision), spec.rows, spec.columns,
        spec.depth, spec.transposeA ? 't' : 'n', spec.transposeB ? 't' : 'n',
        spec.dstType == DataType::Float32 ? "float32" : "bfloat16", nameOf(spec.epilogue));
}

} // namespace lockstep::cuda
