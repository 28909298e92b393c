// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/cudnn_descriptor.h"

#include <cstdint>

// The part of cuDNN's graph API that Lockstep uses, with the types that the library's documentation
// gives for each attribute.
namespace lockstep::cuda::cudnn {

using Integer = CudnnAttribute<std::int64_t, CUDNN_TYPE_INT64>;
using Float = CudnnAttribute<float, CUDNN_TYPE_FLOAT>;
using DataType = CudnnAttribute<cudnnDataType_t, CUDNN_TYPE_DATA_TYPE>;
using Handle = CudnnAttribute<cudnnHandle_t, CUDNN_TYPE_HANDLE>;
using Link = CudnnDescriptor::Link;
using Address = CudnnAttribute<void*, CUDNN_TYPE_VOID_PTR>;

inline constexpr CudnnKind kTensor{CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor"};
inline constexpr CudnnKind kConvolution{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, "convolution"};
inline constexpr CudnnKind kPointwise{CUDNN_BACKEND_POINTWISE_DESCRIPTOR, "pointwise"};
inline constexpr CudnnKind kForward{
    CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, "convolution forward"};
inline constexpr CudnnKind kBackwardData{
    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, "convolution backward data"};
inline constexpr CudnnKind kBackwardFilter{
    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, "convolution backward filter"};
inline constexpr CudnnKind kPointwiseOperation{
    CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, "pointwise operation"};
inline constexpr CudnnKind kOperationGraph{
    CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "operation graph"};
inline constexpr CudnnKind kHeuristic{CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "engine heuristic"};
inline constexpr CudnnKind kEngine{CUDNN_BACKEND_ENGINE_DESCRIPTOR, "engine"};
inline constexpr CudnnKind kEngineConfig{
    CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "engine configuration"};
inline constexpr CudnnKind kKnobChoice{CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, "knob choice"};
inline constexpr CudnnKind kExecutionPlan{
    CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "execution plan"};
inline constexpr CudnnKind kVariantPack{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "variant pack"};
inline constexpr CudnnKind kDeviceProperties{
    CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, "device properties"};

// Tensor: one dimension per value, N C H W; what varies fastest is said by the strides.
inline constexpr DataType kTensorType{CUDNN_ATTR_TENSOR_DATA_TYPE, "data type"};
inline constexpr Integer kTensorDimensions{CUDNN_ATTR_TENSOR_DIMENSIONS, "dimensions"};
inline constexpr Integer kTensorStrides{CUDNN_ATTR_TENSOR_STRIDES, "strides"};
inline constexpr Integer kTensorId{CUDNN_ATTR_TENSOR_UNIQUE_ID, "unique id"};
inline constexpr Integer kTensorAlignment{CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, "byte alignment"};
inline constexpr CudnnAttribute<bool, CUDNN_TYPE_BOOLEAN> kTensorIsVirtual{
    CUDNN_ATTR_TENSOR_IS_VIRTUAL, "is virtual"};

// Convolution: one value per spatial dimension, height and width.
inline constexpr Integer kSpatialDimensions{
    CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, "spatial dimensions"};
inline constexpr DataType kConvolutionType{CUDNN_ATTR_CONVOLUTION_COMP_TYPE, "computation type"};
inline constexpr CudnnAttribute<cudnnConvolutionMode_t, CUDNN_TYPE_CONVOLUTION_MODE>
    kConvolutionMode{CUDNN_ATTR_CONVOLUTION_CONV_MODE, "mode"};
inline constexpr Integer kPrePaddings{CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, "paddings before"};
inline constexpr Integer kPostPaddings{CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, "paddings after"};
inline constexpr Integer kDilations{CUDNN_ATTR_CONVOLUTION_DILATIONS, "dilations"};
inline constexpr Integer kFilterStrides{CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, "strides"};

// The three directions of a convolution have attributes of the same meaning.
struct ConvolutionAttributes
{
    Link convolution;
    Link src;
    Link weights;
    Link dst;
    Float alpha;
    Float beta;
};
inline constexpr ConvolutionAttributes kForwardAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, "src"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, "weights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, "dst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, "beta"}};
inline constexpr ConvolutionAttributes kBackwardDataAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, "diffSrc"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, "weights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, "diffDst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, "beta"}};
inline constexpr ConvolutionAttributes kBackwardFilterAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, "src"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, "diffWeights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, "diffDst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, "beta"}};

inline constexpr CudnnAttribute<cudnnPointwiseMode_t, CUDNN_TYPE_POINTWISE_MODE> kPointwiseMode{
    CUDNN_ATTR_POINTWISE_MODE, "mode"};
inline constexpr DataType kPointwiseType{CUDNN_ATTR_POINTWISE_MATH_PREC, "computation type"};
inline constexpr Link kPointwiseDescriptor{
    CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, "pointwise"};
inline constexpr Link kPointwiseSrc{CUDNN_ATTR_OPERATION_POINTWISE_XDESC, "src"};
inline constexpr Link kPointwiseSecond{CUDNN_ATTR_OPERATION_POINTWISE_BDESC, "second operand"};
inline constexpr Link kPointwiseDst{CUDNN_ATTR_OPERATION_POINTWISE_YDESC, "dst"};

inline constexpr Link kGraphOperations{CUDNN_ATTR_OPERATIONGRAPH_OPS, "operations"};
inline constexpr Integer kGraphEngines{
    CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, "number of engines"};
inline constexpr Handle kGraphHandle{CUDNN_ATTR_OPERATIONGRAPH_HANDLE, "handle"};

inline constexpr Link kHeuristicGraph{CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, "operation graph"};
inline constexpr CudnnAttribute<cudnnBackendHeurMode_t, CUDNN_TYPE_HEUR_MODE> kHeuristicMode{
    CUDNN_ATTR_ENGINEHEUR_MODE, "mode"};
inline constexpr Link kHeuristicResults{CUDNN_ATTR_ENGINEHEUR_RESULTS, "results"};
inline constexpr Link kHeuristicDevice{CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, "device properties"};

inline constexpr Link kEngineGraph{CUDNN_ATTR_ENGINE_OPERATION_GRAPH, "operation graph"};
inline constexpr Integer kEngineIndex{CUDNN_ATTR_ENGINE_GLOBAL_INDEX, "global index"};
inline constexpr CudnnAttribute<cudnnBackendNumericalNote_t, CUDNN_TYPE_NUMERICAL_NOTE>
    kNumericalNotes{CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, "numerical notes"};
inline constexpr CudnnAttribute<cudnnBackendBehaviorNote_t, CUDNN_TYPE_BEHAVIOR_NOTE>
    kBehaviorNotes{CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, "behavior notes"};
inline constexpr Link kEngineDevice{CUDNN_ATTR_ENGINE_DEVICEPROP, "device properties"};

inline constexpr Link kConfigEngine{CUDNN_ATTR_ENGINECFG_ENGINE, "engine"};
inline constexpr Link kConfigKnobs{CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, "knob choices"};
inline constexpr CudnnAttribute<cudnnBackendKnobType_t, CUDNN_TYPE_KNOB_TYPE> kKnobType{
    CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, "type"};
inline constexpr Integer kKnobValue{CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, "value"};

inline constexpr Handle kPlanHandle{CUDNN_ATTR_EXECUTION_PLAN_HANDLE, "handle"};
inline constexpr Link kPlanConfig{CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, "engine configuration"};
inline constexpr Integer kPlanWorkspace{CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, "workspace size"};
inline constexpr Link kPlanDevice{CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, "device properties"};

inline constexpr Integer kPackIds{CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, "unique ids"};
inline constexpr Address kPackAddresses{CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, "data pointers"};
inline constexpr Address kPackWorkspace{CUDNN_ATTR_VARIANT_PACK_WORKSPACE, "workspace"};

} // namespace lockstep::cuda::cudnn
