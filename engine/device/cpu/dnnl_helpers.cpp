// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/dnnl_helpers.h"

#include <fmt/format.h>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;
using dnnl::algorithm;
using dnnl::prop_kind;

constexpr auto kFloat = dnnl::memory::data_type::f32;

prop_kind forwardKind(bool isTraining)
{
    return isTraining ? prop_kind::forward_training : prop_kind::forward_inference;
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
    return layout.dims().size() == 4 ? layout : imageDesc(plan.examples, plan.shape, Tag::nhwc);
}

TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, const Desc& layout)
{
    return {examples, shape, layout, layout.get_size()};
}

Desc imageDesc(std::int64_t examples, const Shape& shape, Tag order)
{
    return {{examples, shape.channels, shape.height, shape.width}, kFloat, order};
}

Desc matrixDesc(std::int64_t rows, std::int64_t columns)
{
    return {{rows, columns}, kFloat, Tag::ab};
}

Desc vectorDesc(std::int64_t elements)
{
    return {{elements}, kFloat, Tag::a};
}

Desc filterDesc(const Conv2d& conv, std::int64_t srcChannels)
{
    return {{conv.channels, srcChannels, conv.kernel.height, conv.kernel.width}, kFloat, Tag::oihw};
}

Desc anyOrder(const Desc& desc)
{
    return {desc.dims(), kFloat, Tag::any};
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

ConvForward convForward(const WeightedDescs& descs, const WindowDims& window, bool isTraining)
{
    return {
        {forwardKind(isTraining), algorithm::convolution_auto, descs.src, descs.weights, descs.bias,
         descs.dst, window.stride, window.before, window.after},
        attributes(),
        dnnlEngine()};
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
    return {
        {algorithm::convolution_auto, descs.src, descs.weights, descs.bias, descs.dst,
         window.stride, window.before, window.after},
        attributes(),
        dnnlEngine(),
        hint};
}

PoolForward maxPoolForward(
    const Desc& src, const Desc& dst, const WindowDims& window, bool isTraining)
{
    return {
        {forwardKind(isTraining), algorithm::pooling_max, src, dst, window.stride, window.kernel,
         window.before, window.after},
        attributes(),
        dnnlEngine()};
}

PoolBackward maxPoolBackward(
    const Desc& src, const Desc& dst, const WindowDims& window, const PoolForward& hint)
{
    return {
        {algorithm::pooling_max, src, dst, window.stride, window.kernel, window.before,
         window.after},
        attributes(),
        dnnlEngine(),
        hint};
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

Reorder::Reorder(const Desc& from, const Desc& to)
    : m_from(memoryAt(from)), m_to(memoryAt(to)), m_primitive(m_from, m_to), m_stream(dnnlEngine())
{
}

void Reorder::run(const void* from, void* to)
{
    m_from.set_data_handle(const_cast<void*>(from));
    m_to.set_data_handle(to);
    m_primitive.execute(m_stream, m_from, m_to);
}

std::size_t PartSizes::add(std::size_t bytes)
{
    constexpr std::size_t kAlignment = 64;
    const std::size_t offset = m_total;
    m_total += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
}

} // namespace lockstep::cpu
