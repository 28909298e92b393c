// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/runtime/dnnl_helpers.h"

#include <fmt/core.h>

#include <utility>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;
using dnnl::algorithm;
using dnnl::prop_kind;

dnnl::normalization_flags scaledAndShifted()
{
    return dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
}

prop_kind forwardKind(bool isTraining)
{
    return isTraining ? prop_kind::forward_training : prop_kind::forward_inference;
}

algorithm averageKind(const AverageDescs& descs)
{
    return descs.countsPadding ? algorithm::pooling_avg_include_padding
                               : algorithm::pooling_avg_exclude_padding;
}

/// oneDNN's instruction sets are bits: newer sets include those of older ones.
bool hasInstructions(dnnl::cpu_isa set)
{
    const auto wanted = static_cast<unsigned>(set);
    return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
}

} // namespace

const dnnl::engine& dnnlEngine()
{
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

const Desc& layoutOf(const TensorPlan& plan)
{
    return std::any_cast<const Desc&>(plan.layout);
}

Desc imageLayoutOf(const TensorPlan& plan)
{
    const Desc& layout = layoutOf(plan);
    return layout.dims().size() == 4
               ? layout
               : imageDesc(plan.examples, plan.shape, elementOf(layout), Tag::nhwc);
}

TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, const Desc& layout)
{
    return {examples, shape, layout, layout.get_size()};
}

Element elementOf(const Desc& desc)
{
    return desc.data_type() == Type::bf16 ? Element::Bfloat16 : Element::Float32;
}

Type typeOf(Element element)
{
    return element == Element::Bfloat16 ? Type::bf16 : Type::f32;
}

Element storedElement(Precision precision)
{
    return precision == Precision::Bfloat16 ? Element::Bfloat16 : Element::Float32;
}

Element operandElement(Precision precision)
{
    return multipliesBfloat16() ? storedElement(precision) : Element::Float32;
}

const std::byte* operandsAt(const WeightsView& weights, std::int64_t offset, Element element)
{
    return element == Element::Float32 ? reinterpret_cast<const std::byte*>(weights.values + offset)
                                       : weights.operands + offset * bytesOf(element);
}

Desc imageDesc(std::int64_t examples, const Shape& shape, Element element, Tag order)
{
    return {{examples, shape.channels, shape.height, shape.width}, typeOf(element), order};
}

Desc operandImage(std::int64_t examples, const Shape& shape, Element element)
{
    return imageDesc(examples, shape, element, element == Element::Float32 ? Tag::any : Tag::nhwc);
}

Desc matrixDesc(std::int64_t rows, std::int64_t columns, Element element)
{
    return {{rows, columns}, typeOf(element), Tag::ab};
}

Desc vectorDesc(std::int64_t elements)
{
    return {{elements}, Type::f32, Tag::a};
}

Desc filterDesc(const Conv2d& conv, std::int64_t srcChannels, Element element)
{
    const std::int64_t outs = conv.channels / conv.groups;
    const std::int64_t ins = srcChannels / conv.groups;
    const auto& [height, width] = conv.kernel;
    if (conv.groups == 1) {
        return {{outs, ins, height, width}, typeOf(element), Tag::oihw};
    }
    return {{conv.groups, outs, ins, height, width}, typeOf(element), Tag::goihw};
}

Desc anyOrder(const Desc& desc)
{
    return {desc.dims(), desc.data_type(), Tag::any};
}

dnnl::primitive_attr attributes()
{
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

WindowDims windowDims(const Extent& window, const Extent& stride, Padding padding, const Shape& src)
{
    const auto rows = paddingCells(padding, src.height, window.height, stride.height);
    const auto columns = paddingCells(padding, src.width, window.width, stride.width);
    return {
        {window.height, window.width},
        {stride.height, stride.width},
        {rows.before, columns.before},
        {rows.after, columns.after}};
}

AverageForward averageForward(const AverageDescs& descs, const WindowDims& window, bool isTraining)
{
    return {
        {forwardKind(isTraining), averageKind(descs), descs.src, descs.dst, window.stride,
         window.kernel, window.before, window.after},
        attributes(),
        dnnlEngine()};
}

AverageBackward averageBackward(
    const AverageDescs& descs, const WindowDims& window, const AverageForward& hint)
{
    return {
        {averageKind(descs), descs.src, descs.dst, window.stride, window.kernel, window.before,
         window.after},
        attributes(),
        dnnlEngine(),
        hint};
}

ConvForward convForward(const WeightedDescs& descs, const WindowDims& window, bool isTraining)
{
    // next_impl() reads it again.
    const dnnl::convolution_forward::desc wanted(
        forwardKind(isTraining), algorithm::convolution_auto, descs.src, descs.weights, descs.bias,
        descs.dst, window.stride, window.before, window.after);
    ConvForward chosen(wanted, attributes(), dnnlEngine());
    // Until 3.13 oneDNN's products of tiles write over what they read where a stride skips rows
    // (its pull request 5494), most often with several threads.
    const bool skipsRows = window.stride.front() > window.kernel.front();
    const auto multipliesTilesInBatches = [&chosen] {
        const std::string_view name = chosen.impl_info_str();
        return name.starts_with("brg") && name.find("amx") != std::string_view::npos;
    };
    while (skipsRows && multipliesTilesInBatches() && chosen.next_impl()) {
    }
    return chosen;
}

ConvBackwardData convBackwardData(
    const WeightedDescs& descs, const WindowDims& window, const ConvForward& hint)
{
    return {
        {algorithm::convolution_auto, descs.src, descs.weights, descs.dst, window.stride,
         window.before, window.after},
        attributes(),
        dnnlEngine(),
        hint};
}

ConvBackwardWeights convBackwardWeights(
    const WeightedDescs& descs, const WindowDims& window, const ConvForward& hint)
{
    // next_impl() reads it again.
    const dnnl::convolution_backward_weights::desc wanted(
        algorithm::convolution_auto, descs.src, descs.weights, descs.bias, descs.dst, window.stride,
        window.before, window.after);
    ConvBackwardWeights chosen(wanted, attributes(), dnnlEngine(), hint);
    // With a stride larger than the image is wide, oneDNN 2.6's kernel of this name adds up memory
    // that nobody wrote.
    const bool isStridedOut = window.stride.back() > descs.src.dims().back();
    while (isStridedOut && std::string_view(chosen.impl_info_str()).starts_with("jit_bf16")
           && chosen.next_impl()) {
    }
    return chosen;
}

TransposedForward transposedForward(
    const WeightedDescs& descs, const WindowDims& window, bool isTraining)
{
    return {
        {forwardKind(isTraining), algorithm::deconvolution_direct, descs.src, descs.weights,
         descs.bias, descs.dst, window.stride, window.before, window.after},
        attributes(),
        dnnlEngine()};
}

TransposedBackwardWeights transposedBackwardWeights(
    const WeightedDescs& descs, const WindowDims& window, const TransposedForward& hint)
{
    return {
        {algorithm::deconvolution_direct, descs.src, descs.weights, descs.bias, descs.dst,
         window.stride, window.before, window.after},
        attributes(),
        dnnlEngine(),
        hint};
}

LayerNormForward layerNormForward(const Desc& cells, float epsilon)
{
    return {
        {prop_kind::forward_training, cells, epsilon, scaledAndShifted()},
        attributes(),
        dnnlEngine()};
}

LayerNormBackward layerNormBackward(const LayerNormForward& hint, float epsilon)
{
    return {
        {prop_kind::backward, hint.dst_desc(), hint.src_desc(), epsilon, scaledAndShifted()},
        attributes(),
        dnnlEngine(),
        hint};
}

MatrixProduct productAddedTo(const Desc& left, const Desc& right, const Desc& sum)
{
    dnnl::post_ops addToSum;
    addToSum.append_sum();
    dnnl::primitive_attr attr = attributes();
    attr.set_post_ops(addToSum);
    return {dnnl::matmul::desc(left, right, sum), attr, dnnlEngine()};
}

DenseForward denseForward(const WeightedDescs& descs, bool isTraining)
{
    return {
        {forwardKind(isTraining), descs.src, descs.weights, descs.bias, descs.dst},
        attributes(),
        dnnlEngine()};
}

DenseBackwardData denseBackwardData(const WeightedDescs& descs, const DenseForward& hint)
{
    return {{descs.src, descs.weights, descs.dst}, attributes(), dnnlEngine(), hint};
}

DenseBackwardWeights denseBackwardWeights(const WeightedDescs& descs, const DenseForward& hint)
{
    return {{descs.src, descs.weights, descs.bias, descs.dst}, attributes(), dnnlEngine(), hint};
}

bool multipliesBfloat16()
{
    return hasInstructions(dnnl::cpu_isa::avx512_core_bf16);
}

bool multipliesTiles()
{
    return hasInstructions(dnnl::cpu_isa::avx512_core_amx);
}

int slowness(std::string_view implementation)
{
    constexpr int kPlainLoops = 100;
    if (implementation.starts_with("ref")) {
        return kPlainLoops;
    }
    return implementation.find("gemm") != std::string_view::npos ? 1 : 0;
}

std::string dnnlVersion()
{
    const auto* version = dnnl::version();
    return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

dnnl::memory memoryAt(const Desc& desc, const void* address)
{
    // oneDNN's handles are not const; what we only read stays unchanged.
    return {desc, dnnlEngine(), const_cast<void*>(address)};
}

PrimitiveCall::PrimitiveCall(dnnl::primitive primitive, Arguments arguments)
    : m_primitive(std::move(primitive)), m_arguments(std::move(arguments)), m_stream(dnnlEngine())
{
    for (const auto& [argument, memory] : m_arguments) {
        m_list.push_back({argument, memory.get(true)});
    }
}

void PrimitiveCall::set(int argument, const void* address)
{
    m_arguments.at(argument).set_data_handle(const_cast<void*>(address));
}

void PrimitiveCall::run() const
{
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(
            m_primitive.get(), m_stream.get(), static_cast<int>(m_list.size()), m_list.data()),
        "could not execute a primitive");
}

std::size_t addPart(std::size_t& total, std::size_t bytes)
{
    constexpr std::size_t kAlignment = 64;
    const std::size_t offset = total;
    total += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
}

} // namespace lockstep::cpu
