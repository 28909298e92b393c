// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/convolution_graph.h"

#include "device/cuda/plans/cudnn_attributes.h"

#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

using Sizes = std::vector<std::int64_t>;

cudnnDataType_t cudnnType(DataType type)
{
    return type == DataType::Float32 ? CUDNN_DATA_FLOAT : CUDNN_DATA_BFLOAT16;
}

struct TensorSettings
{
    Sizes dimensions; ///< N C H W
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::int64_t id = 0;
    bool isVirtual = false; ///< passed from operation to operation, never in memory
};

/// Stored N H W C.
CudnnDescriptor makeTensor(const TensorSettings& settings)
{
    constexpr std::int64_t kAlignment = 16;
    const Sizes& size = settings.dimensions;
    CudnnDescriptor tensor(cudnn::kTensor);
    tensor.set(cudnn::kTensorType, settings.type);
    tensor.set(cudnn::kTensorDimensions, size);
    tensor.set(
        cudnn::kTensorStrides, Sizes{size[1] * size[2] * size[3], 1, size[1] * size[3], size[1]});
    tensor.set(cudnn::kTensorId, settings.id);
    tensor.set(cudnn::kTensorAlignment, kAlignment);
    tensor.set(cudnn::kTensorIsVirtual, settings.isVirtual);
    tensor.finalize();
    return tensor;
}

CudnnDescriptor makeConvolution(const ConvolutionSpec& spec)
{
    const Sizes padding{spec.padding.height, spec.padding.width};
    CudnnDescriptor convolution(cudnn::kConvolution);
    convolution.set(cudnn::kConvolutionType, CUDNN_DATA_FLOAT);
    convolution.set(cudnn::kConvolutionMode, CUDNN_CROSS_CORRELATION);
    convolution.set(cudnn::kSpatialDimensions, std::int64_t{2});
    convolution.set(cudnn::kPrePaddings, padding);
    convolution.set(cudnn::kPostPaddings, padding);
    convolution.set(cudnn::kDilations, Sizes{1, 1});
    convolution.set(cudnn::kFilterStrides, Sizes{spec.stride.height, spec.stride.width});
    convolution.finalize();
    return convolution;
}

CudnnDescriptor makePointwise(cudnnPointwiseMode_t mode)
{
    CudnnDescriptor pointwise(cudnn::kPointwise);
    pointwise.set(cudnn::kPointwiseMode, mode);
    pointwise.set(cudnn::kPointwiseType, CUDNN_DATA_FLOAT);
    pointwise.finalize();
    return pointwise;
}

/// Descriptors refer to each other; the lists keep them until the graph is finalized.
class GraphBuilder
{
public:
    GraphBuilder(const ConvolutionSpec& spec, const ConvolutionGraphOptions& options)
        : m_spec(spec), m_convolution(makeConvolution(spec)), m_nextVirtualId(DstId + 1)
    {
        m_adds = options.adds;
        m_hasBias = options.withEpilogue && spec.hasBias;
        m_hasRelu = options.withEpilogue && spec.hasRelu;
        const bool isWeightGradient = spec.direction == ConvolutionDirection::WeightGradient;
        m_weightsType = isWeightGradient ? options.weightGradientType : spec.type;
        m_dst = {spec.examples, spec.dst.channels, spec.dst.height, spec.dst.width};
    }

    CudnnDescriptor build(const CudnnTarget& target)
    {
        CudnnDescriptor result = addConvolution();
        if (m_hasBias) {
            const auto bias =
                makeTensor({{1, m_spec.dst.channels, 1, 1}, CUDNN_DATA_FLOAT, BiasId, false});
            result = addPointwise(CUDNN_POINTWISE_ADD, result, &bias);
        }
        if (m_hasRelu) {
            addPointwise(CUDNN_POINTWISE_RELU_FWD, result, nullptr);
        }
        CudnnDescriptor graph(cudnn::kOperationGraph);
        if (target.handle != nullptr) {
            graph.set(cudnn::kGraphHandle, target.handle);
        }
        std::vector<cudnnBackendDescriptor_t> operations;
        for (const CudnnDescriptor& operation : m_operations) {
            operations.push_back(operation.get());
        }
        graph.set(cudnn::kGraphOperations, operations);
        graph.finalize();
        return graph;
    }

private:
    /// What an operation writes: dst if it is the last, else a virtual float32 tensor.
    CudnnDescriptor makeDst(bool isLast)
    {
        return isLast ? makeTensor({m_dst, cudnnType(m_spec.type), DstId, false})
                      : makeTensor({m_dst, CUDNN_DATA_FLOAT, m_nextVirtualId++, true});
    }

    CudnnDescriptor addConvolution()
    {
        const auto src = makeTensor(
            {{m_spec.examples, m_spec.src.channels, m_spec.src.height, m_spec.src.width},
             cudnnType(m_spec.type),
             SrcId,
             false});
        const auto weights = makeTensor(
            {{m_spec.dst.channels, m_spec.src.channels / m_spec.groups, m_spec.kernel.height,
              m_spec.kernel.width},
             cudnnType(m_weightsType),
             WeightsId,
             false});
        CudnnDescriptor dst = makeDst(!m_hasBias && !m_hasRelu);
        const auto& [kind, names] = operationKind();
        CudnnDescriptor operation(kind);
        operation.set(names.convolution, m_convolution);
        operation.set(names.src, src);
        operation.set(names.weights, weights);
        operation.set(names.dst, dst);
        operation.set(names.alpha, 1.0F);
        operation.set(names.beta, m_adds ? 1.0F : 0.0F);
        operation.finalize();
        m_operations.push_back(std::move(operation));
        return dst;
    }

    [[nodiscard]] std::pair<CudnnKind, cudnn::ConvolutionAttributes> operationKind() const
    {
        switch (m_spec.direction) {
        case ConvolutionDirection::Forward:
            break;
        case ConvolutionDirection::DataGradient:
            return {cudnn::kBackwardData, cudnn::kBackwardDataAttributes};
        case ConvolutionDirection::WeightGradient:
            return {cudnn::kBackwardFilter, cudnn::kBackwardFilterAttributes};
        }
        return {cudnn::kForward, cudnn::kForwardAttributes};
    }

    CudnnDescriptor addPointwise(
        cudnnPointwiseMode_t mode, const CudnnDescriptor& src, const CudnnDescriptor* second)
    {
        const bool isLast = mode == CUDNN_POINTWISE_RELU_FWD || !m_hasRelu;
        CudnnDescriptor dst = makeDst(isLast);
        CudnnDescriptor operation(cudnn::kPointwiseOperation);
        operation.set(cudnn::kPointwiseDescriptor, makePointwise(mode));
        operation.set(cudnn::kPointwiseSrc, src);
        if (second != nullptr) {
            operation.set(cudnn::kPointwiseSecond, *second);
        }
        operation.set(cudnn::kPointwiseDst, dst);
        operation.finalize();
        m_operations.push_back(std::move(operation));
        return dst;
    }

    const ConvolutionSpec& m_spec;
    CudnnDescriptor m_convolution;
    std::vector<CudnnDescriptor> m_operations;
    Sizes m_dst;
    DataType m_weightsType = DataType::Float32;
    bool m_adds = false;
    bool m_hasBias = false;
    bool m_hasRelu = false;
    std::int64_t m_nextVirtualId;
};

} // namespace

CudnnDescriptor convolutionGraph(
    const CudnnTarget& target, const ConvolutionSpec& spec, const ConvolutionGraphOptions& options)
{
    return GraphBuilder(spec, options).build(target);
}

} // namespace lockstep::cuda
