// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/cudnn_descriptor.h"

#include <cstdint>

// The part of cuDNN's graph API that Lockstep uses, with the types that the library's documentation
// gives for each attribute.
namespace lockstep::cuda::cudnn {

using Descriptor = cudnnBackendDescriptor_t;
using Integer = CudnnAttribute<std::int64_t>;
using Link = CudnnAttribute<Descriptor>;

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
inline constexpr CudnnAttribute<cudnnDataType_t> kTensorType{
    CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, "data type"};
inline constexpr Integer kTensorDimensions{
    CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, "dimensions"};
inline constexpr Integer kTensorStrides{CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, "strides"};
inline constexpr Integer kTensorId{CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, "unique id"};
inline constexpr Integer kTensorAlignment{
    CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, "byte alignment"};
inline constexpr CudnnAttribute<bool> kTensorIsVirtual{
    CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, "is virtual"};

// Convolution: one value per spatial dimension, height and width.
inline constexpr Integer kSpatialDimensions{
    CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, "spatial dimensions"};
inline constexpr CudnnAttribute<cudnnDataType_t> kConvolutionType{
    CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, "computation type"};
inline constexpr CudnnAttribute<cudnnConvolutionMode_t> kConvolutionMode{
    CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, "mode"};
inline constexpr Integer kPrePaddings{
    CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, "paddings before"};
inline constexpr Integer kPostPaddings{
    CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, "paddings after"};
inline constexpr Integer kDilations{
    CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, "dilations"};
inline constexpr Integer kFilterStrides{
    CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, "strides"};

// The three directions of a convolution have attributes of the same meaning.
struct ConvolutionAttributes
{
    Link convolution;
    Link src;
    Link weights;
    Link dst;
    CudnnAttribute<float> alpha;
    CudnnAttribute<float> beta;
};
inline constexpr ConvolutionAttributes kForwardAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR,
     "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_TYPE_BACKEND_DESCRIPTOR, "src"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_TYPE_BACKEND_DESCRIPTOR, "weights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_TYPE_BACKEND_DESCRIPTOR, "dst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, "beta"}};
inline constexpr ConvolutionAttributes kBackwardDataAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR,
     "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_TYPE_BACKEND_DESCRIPTOR, "diffSrc"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_TYPE_BACKEND_DESCRIPTOR, "weights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_TYPE_BACKEND_DESCRIPTOR, "diffDst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, "beta"}};
inline constexpr ConvolutionAttributes kBackwardFilterAttributes{
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR,
     "convolution"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_TYPE_BACKEND_DESCRIPTOR, "src"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, CUDNN_TYPE_BACKEND_DESCRIPTOR, "diffWeights"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, CUDNN_TYPE_BACKEND_DESCRIPTOR, "diffDst"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_TYPE_FLOAT, "alpha"},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, CUDNN_TYPE_FLOAT, "beta"}};

inline constexpr CudnnAttribute<cudnnPointwiseMode_t> kPointwiseMode{
    CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, "mode"};
inline constexpr CudnnAttribute<cudnnDataType_t> kPointwiseType{
    CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, "computation type"};
inline constexpr Link kPointwiseDescriptor{
    CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_TYPE_BACKEND_DESCRIPTOR, "pointwise"};
inline constexpr Link kPointwiseSrc{
    CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, "src"};
inline constexpr Link kPointwiseSecond{
    CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, "second operand"};
inline constexpr Link kPointwiseDst{
    CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, "dst"};

inline constexpr Link kGraphOperations{
    CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, "operations"};
inline constexpr Integer kGraphEngines{
    CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, CUDNN_TYPE_INT64, "number of engines"};
inline constexpr CudnnAttribute<cudnnHandle_t> kGraphHandle{
    CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, "handle"};

inline constexpr Link kHeuristicGraph{
    CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, "operation graph"};
inline constexpr CudnnAttribute<cudnnBackendHeurMode_t> kHeuristicMode{
    CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, "mode"};
inline constexpr Link kHeuristicResults{
    CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, "results"};
inline constexpr Link kHeuristicDevice{
    CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, "device properties"};

inline constexpr Link kEngineGraph{
    CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, "operation graph"};
inline constexpr Integer kEngineIndex{
    CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, "global index"};
inline constexpr CudnnAttribute<cudnnBackendNumericalNote_t> kNumericalNotes{
    CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, "numerical notes"};
inline constexpr CudnnAttribute<cudnnBackendBehaviorNote_t> kBehaviorNotes{
    CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, "behavior notes"};
inline constexpr Link kEngineDevice{
    CUDNN_ATTR_ENGINE_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, "device properties"};

inline constexpr Link kConfigEngine{
    CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, "engine"};
inline constexpr Link kConfigKnobs{
    CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR, "knob choices"};
inline constexpr CudnnAttribute<cudnnBackendKnobType_t> kKnobType{
    CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, "type"};
inline constexpr Integer kKnobValue{CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, "value"};

inline constexpr CudnnAttribute<cudnnHandle_t> kPlanHandle{
    CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, "handle"};
inline constexpr Link kPlanConfig{
    CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, "engine configuration"};
inline constexpr Integer kPlanWorkspace{
    CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, "workspace size"};
inline constexpr Link kPlanDevice{
    CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, "device properties"};

inline constexpr Integer kPackIds{
    CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, "unique ids"};
inline constexpr CudnnAttribute<void*> kPackAddresses{
    CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, "data pointers"};
inline constexpr CudnnAttribute<void*> kPackWorkspace{
    CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, "workspace"};

} // namespace lockstep::cuda::cudnn
