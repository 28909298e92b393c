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
    return padding == Padding::Same ? (size + stride - 1) / stride : (size - window) / stride + 1;
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
        checkInner(conv.activation);
        return windows(conv.kernel, conv.stride, conv.padding, conv.channels);
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
        if (activation == Activation::Sigmoid) {
            fail(
                ErrorCode::BadInput,
                "layer '{}': only ReLU is applied inside a layer; give the sigmoid a layer of its "
                "own (elementwise)",
                m_name);
        }
    }

    [[nodiscard]] Shape windows(
        const Extent& window, const Extent& stride, Padding padding, std::int64_t channels) const
    {
        checkPositive(std::min(window.height, window.width), "window");
        checkPositive(std::min(stride.height, stride.width), "stride");
        if (padding == Padding::Valid
            && (window.height > m_src.height || window.width > m_src.width)) {
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
    const std::int64_t cells = outputCells(padding, size, window, stride);
    const std::int64_t total = std::max<std::int64_t>(0, (cells - 1) * stride + window - size);
    if (padding == Padding::Valid) {
        return {0, 0};
    }
    return {total / 2, total - total / 2};
}

} // namespace lockstep
