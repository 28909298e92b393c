// SPDX-License-Identifier: Apache-2.0
#include "network/shape_inference.h"

#include "base/error.h"
#include "network/network_spec.h"

#include <algorithm>

namespace lockstep {
namespace {

std::int64_t outputCells(
    Padding padding, std::int64_t size, std::int64_t window, std::int64_t stride)
{
    if (padding == Padding::Same) {
        return (size + stride - 1) / stride;
    }
    const std::int64_t border = padding == Padding::Half ? window / 2 : 0;
    return (size + 2 * border - window) / stride + 1;
}

/// Infers the shape that comes out of a layer.
class ShapeInference
{
public:
    ShapeInference(const std::string& name, const std::vector<Shape>& inputs)
        : m_name(name), m_inputs(inputs), m_src(inputs.front())
    {
    }

    Shape operator()(const Input& input) const { return input.shape; }
    Shape operator()(const Conv2d& conv) const
    {
        checkPositive(conv.channels, "channels");
        checkPositive(conv.groups, "groups");
        checkInner(conv.activation);
        if (m_src.channels % conv.groups != 0 || conv.channels % conv.groups != 0) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': {} groups don't divide its {} input and {} output channels evenly",
                m_name, conv.groups, m_src.channels, conv.channels);
        }
        return windows(conv.kernel, conv.stride, conv.padding, conv.channels);
    }
    Shape operator()(const ConvTranspose2d& conv) const
    {
        checkPositive(conv.channels, "channels");
        checkPositive(std::min(conv.kernel.height, conv.kernel.width), "kernel");
        checkPositive(std::min(conv.stride.height, conv.stride.width), "stride");
        const auto cells = [&](std::int64_t src, std::int64_t kernel, std::int64_t stride) {
            if (conv.padding == Padding::Same) {
                return src * stride;
            }
            return (src - 1) * stride + kernel
                   - (conv.padding == Padding::Half ? kernel / 2 * 2 : 0);
        };
        const Shape dst{
            cells(m_src.height, conv.kernel.height, conv.stride.height),
            cells(m_src.width, conv.kernel.width, conv.stride.width), conv.channels};
        checkPositive(std::min(dst.height, dst.width), "size of what comes out");
        return dst;
    }
    Shape operator()(const MaxPool& pool) const
    {
        return windows(pool.window, pool.stride, pool.padding, m_src.channels);
    }
    Shape operator()(const AveragePool& pool) const
    {
        return windows(pool.window, pool.stride, pool.padding, m_src.channels);
    }
    Shape operator()(const Lrn& lrn) const
    {
        checkPositive(lrn.depthRadius, "depth_radius");
        // Then what is raised to the power of -beta is never 0 or negative.
        if (!(lrn.bias > 0.0) || !(lrn.alpha >= 0.0)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': bias is {} and alpha is {}, but bias must be greater than 0 and "
                "alpha not negative",
                m_name, lrn.bias, lrn.alpha);
        }
        return m_src;
    }
    Shape operator()(const Dense& dense) const
    {
        checkPositive(dense.units, "units");
        checkInner(dense.activation);
        return {1, 1, dense.units};
    }
    Shape operator()(const Normalization& normalization) const
    {
        checkInner(normalization.activation);
        if (!(normalization.epsilon > 0.0)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': epsilon is {}, but must be greater than 0: a channel may have no "
                "variance",
                m_name, normalization.epsilon);
        }
        if (!(normalization.decay >= 0.0 && normalization.decay < 1.0)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': decay is {}, but must be at least 0 and less than 1", m_name,
                normalization.decay);
        }
        return m_src;
    }
    Shape operator()(const LayerNorm& norm) const
    {
        if (!(norm.epsilon > 0.0)) {
            fail(
                ErrorCode::BadInput, "layer '{}': epsilon is {}, but must be greater than 0",
                m_name, norm.epsilon);
        }
        return m_src;
    }
    Shape operator()(const GlobalPool& /*pool*/) const { return {1, 1, m_src.channels}; }
    Shape operator()(const Concat& /*concat*/) const
    {
        Shape dst{m_src.height, m_src.width, 0};
        for (const Shape& input : m_inputs) {
            if (input.height != dst.height || input.width != dst.width) {
                fail(
                    ErrorCode::BadInput,
                    "layer '{}': its inputs are {} and {}, but must have one height and width",
                    m_name, toString(m_src), toString(input));
            }
            dst.channels += input.channels;
        }
        return dst;
    }
    Shape operator()(const Add& add) const
    {
        checkInner(add.activation);
        for (const Shape& input : m_inputs) {
            if (input.height != m_src.height || input.width != m_src.width
                || input.channels > m_src.channels) {
                fail(
                    ErrorCode::BadInput,
                    "layer '{}': {} can't be added to its first input, {}: height and width must "
                    "be the same, and not more channels",
                    m_name, toString(input), toString(m_src));
            }
        }
        return m_src;
    }
    Shape operator()(const Scale& /*scale*/) const
    {
        const Shape expected{1, 1, m_src.channels};
        if (m_inputs.back() != expected) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': its second input is {}, but must be {}, one value for each channel of "
                "the first",
                m_name, toString(m_inputs.back()), toString(expected));
        }
        return m_src;
    }
    Shape operator()(const Dropout& dropout) const
    {
        if (!(dropout.keep > 0.0 && dropout.keep <= 1.0)) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': keep is {}, but must be greater than 0 and at most 1", m_name,
                dropout.keep);
        }
        return m_src;
    }
    Shape operator()(const Elementwise& /*elementwise*/) const { return m_src; }

private:
    void checkPositive(std::int64_t value, const char* field) const
    {
        if (value <= 0) {
            fail(
                ErrorCode::BadInput, "layer '{}': {} is {}, but must be at least 1", m_name, field,
                value);
        }
    }

    /// The activations that other layers apply themselves.
    void checkInner(Activation activation) const
    {
        if (activation != Activation::None && activation != Activation::Relu) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': only ReLU is applied inside a layer; give another activation a layer "
                "of its own (elementwise)",
                m_name);
        }
    }

    [[nodiscard]] Shape windows(
        const Extent& window, const Extent& stride, Padding padding, std::int64_t channels) const
    {
        checkPositive(std::min(window.height, window.width), "window");
        checkPositive(std::min(stride.height, stride.width), "stride");
        const auto reach = [&](std::int64_t cells, std::int64_t kernel) {
            return cells + (padding == Padding::Half ? kernel / 2 * 2 : 0);
        };
        if (padding != Padding::Same
            && (window.height > reach(m_src.height, window.height)
                || window.width > reach(m_src.width, window.width))) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': a window of {}x{} does not fit into its {} input; use padding = "
                "\"same\"",
                m_name, window.height, window.width, toString(m_src));
        }
        return {
            outputCells(padding, m_src.height, window.height, stride.height),
            outputCells(padding, m_src.width, window.width, stride.width), channels};
    }

    const std::string& m_name;
    const std::vector<Shape>& m_inputs;
    const Shape& m_src;
};

} // namespace

Shape inferShape(const std::string& name, const LayerSpec& spec, const std::vector<Shape>& inputs)
{
    return std::visit(ShapeInference(name, inputs), spec);
}

PaddingCells paddingCells(
    Padding padding, std::int64_t size, std::int64_t window, std::int64_t stride)
{
    if (padding != Padding::Same) {
        const std::int64_t border = padding == Padding::Half ? window / 2 : 0;
        return {border, border};
    }
    const std::int64_t cells = outputCells(padding, size, window, stride);
    const std::int64_t total = std::max<std::int64_t>(0, (cells - 1) * stride + window - size);
    return {total / 2, total - total / 2};
}

} // namespace lockstep
