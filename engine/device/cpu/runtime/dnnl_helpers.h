// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "device/op.h"
#include "network/network_spec.h"

#include <dnnl.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The only place that knows how oneDNN's versions differ (2.6 in Debian 12 is the minimum).
namespace lockstep::cpu {

using Desc = dnnl::memory::desc;

const dnnl::engine& dnnlEngine();

/// The oneDNN description of a tensor that a CPU op planned.
const Desc& layoutOf(const TensorPlan& plan);
/// As layoutOf(), for ops on images: a vector, as fully connected layers make it, is an image of
/// one cell.
Desc imageLayoutOf(const TensorPlan& plan);
/// A planned tensor in the given layout.
TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, const Desc& layout);

/// float32 or bfloat16, as a description has it, and the other way round.
Element elementOf(const Desc& desc);
dnnl::memory::data_type typeOf(Element element);
/// What activations and their gradients are in, from one op to the next.
Element storedElement(Precision precision);
/// What they and weights are multiplied in: the same, but where the processor has no products of
/// bfloat16 those are made in float32.
Element operandElement(Precision precision);
/// Where the weights at `offset` of the arena lie in that format.
const std::byte* operandsAt(const WeightsView& weights, std::int64_t offset, Element element);

/// examples x channels x height x width, in the given order; `any` leaves it to oneDNN.
Desc imageDesc(
    std::int64_t examples, const Shape& shape, Element element,
    dnnl::memory::format_tag order = dnnl::memory::format_tag::any);
/// The result of a convolution: float32 as oneDNN likes it, which is in blocks of channels;
/// bfloat16 with all channels of a cell side by side, where convolutions lose nothing (they gain on
/// processors with AMX) and pooling and normalisation gain.
Desc operandImage(std::int64_t examples, const Shape& shape, Element element);
/// examples x elements, row by row.
Desc matrixDesc(std::int64_t rows, std::int64_t columns, Element element = Element::Float32);
/// float32.
Desc vectorDesc(std::int64_t elements);
/// [out, in, height, width], as parameters lie in the arena; of several groups [group, out of it,
/// in of it, height, width], which is the same.
Desc filterDesc(const Conv2d& conv, std::int64_t srcChannels, Element element);
/// `desc` with the order of the values left to oneDNN.
Desc anyOrder(const Desc& desc);

/// Attributes of every primitive: temporary memory is ours.
dnnl::primitive_attr attributes();

/// Window, stride and padding of a convolution.
struct WindowDims
{
    dnnl::memory::dims kernel;
    dnnl::memory::dims stride;
    dnnl::memory::dims before;
    dnnl::memory::dims after;
};
WindowDims windowDims(
    const Extent& window, const Extent& stride, Padding padding, const Shape& src);

using AverageForward = dnnl::pooling_forward::primitive_desc;
using AverageBackward = dnnl::pooling_backward::primitive_desc;
using ConvForward = dnnl::convolution_forward::primitive_desc;
using ConvBackwardData = dnnl::convolution_backward_data::primitive_desc;
using ConvBackwardWeights = dnnl::convolution_backward_weights::primitive_desc;
using TransposedForward = dnnl::deconvolution_forward::primitive_desc;
using TransposedBackwardWeights = dnnl::deconvolution_backward_weights::primitive_desc;
using LayerNormForward = dnnl::layer_normalization_forward::primitive_desc;
using LayerNormBackward = dnnl::layer_normalization_backward::primitive_desc;
using MatrixProduct = dnnl::matmul::primitive_desc;
using DenseForward = dnnl::inner_product_forward::primitive_desc;
using DenseBackwardData = dnnl::inner_product_backward_data::primitive_desc;
using DenseBackwardWeights = dnnl::inner_product_backward_weights::primitive_desc;

/// Images and the means of their windows, see AveragePool.
struct AverageDescs
{
    Desc src;
    Desc dst;
    bool countsPadding = false;
};

AverageForward averageForward(const AverageDescs& descs, const WindowDims& window, bool isTraining);
AverageBackward averageBackward(
    const AverageDescs& descs, const WindowDims& window, const AverageForward& hint);

/// Tensors of an op with weights.
struct WeightedDescs
{
    Desc src;
    Desc weights;
    Desc bias;
    Desc dst;
};

ConvForward convForward(const WeightedDescs& descs, const WindowDims& window, bool isTraining);
ConvBackwardData convBackwardData(
    const WeightedDescs& descs, const WindowDims& window, const ConvForward& hint);
/// `descs.weights` and `descs.bias` are those of the gradients.
ConvBackwardWeights convBackwardWeights(
    const WeightedDescs& descs, const WindowDims& window, const ConvForward& hint);
/// Transposed convolutions; `window` is that of the convolution from dst to src, which is their
/// gradient of the source.
TransposedForward transposedForward(
    const WeightedDescs& descs, const WindowDims& window, bool isTraining);
TransposedBackwardWeights transposedBackwardWeights(
    const WeightedDescs& descs, const WindowDims& window, const TransposedForward& hint);
/// Of the rows of a matrix, with gamma and beta; keeps means and variances.
LayerNormForward layerNormForward(const Desc& cells, float epsilon);
LayerNormBackward layerNormBackward(const LayerNormForward& hint, float epsilon);
/// sum += left * right.
MatrixProduct productAddedTo(const Desc& left, const Desc& right, const Desc& sum);
DenseForward denseForward(const WeightedDescs& descs, bool isTraining);
DenseBackwardData denseBackwardData(const WeightedDescs& descs, const DenseForward& hint);
DenseBackwardWeights denseBackwardWeights(const WeightedDescs& descs, const DenseForward& hint);

/// Whether the processor multiplies bfloat16 numbers by instructions of its own.
bool multipliesBfloat16();

/// Whether it multiplies tiles of them (AMX).
bool multipliesTiles();

/// How slow an implementation of this name is: 0: one of oneDNN's own kernels; 1: unfolded
/// products, up to half as fast, with much memory; larger: its plain loops, a thousand times as
/// slow.
int slowness(std::string_view implementation);

/// Its kernels for the gradients of wider filters are plain loops.
constexpr std::int64_t kMostFilterColumns = 14;

/// "2.6.3".
std::string dnnlVersion();

/// A oneDNN memory object on memory of ours; the address may be set later.
dnnl::memory memoryAt(const Desc& desc, const void* address = nullptr);

/// A primitive and its arguments, readied so that a call of it allocates nothing of ours.
class PrimitiveCall
{
public:
    using Arguments = std::unordered_map<int, dnnl::memory>;

    PrimitiveCall() = default;
    PrimitiveCall(dnnl::primitive primitive, Arguments arguments);

    /// Where an argument lies from now on.
    void set(int argument, const void* address);
    void run() const;

private:
    dnnl::primitive m_primitive;
    Arguments m_arguments;
    std::vector<dnnl_exec_arg_t> m_list; ///< the same
    dnnl::stream m_stream;
};

/// Adds a part to memory of `total` bytes, a scratchpad or workspace: every part begins at a
/// multiple of 64 bytes. Returns its offset.
std::size_t addPart(std::size_t& total, std::size_t bytes);

} // namespace lockstep::cpu
