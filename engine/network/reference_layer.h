// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/dropout.h"
#include "network/network_spec.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// What the kinds of layers of the reference share; of no use outside it.
namespace lockstep::reference {

using Values = std::vector<double>;

/// Examples of one shape, each height x width x channels. Gradients that are not wanted are empty.
class Images
{
public:
    Images(const Shape& shape, Values& values) : m_shape(shape), m_values(values) {}

    [[nodiscard]] bool contains(std::int64_t y, std::int64_t x) const
    {
        return y >= 0 && y < m_shape.height && x >= 0 && x < m_shape.width;
    }
    [[nodiscard]] double& at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) const
    {
        return m_values[static_cast<std::size_t>(
            ((n * m_shape.height + y) * m_shape.width + x) * m_shape.channels + c)];
    }
    [[nodiscard]] double& operator[](std::size_t i) const { return m_values[i]; }
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] bool empty() const { return m_values.empty(); }

private:
    const Shape& m_shape;
    Values& m_values;
};

/// Calls body(n, y, x) for every cell of every example.
template<class Body>
void forEachCell(std::int64_t examples, const Images& images, Body body)
{
    const Shape& shape = images.shape();
    for (std::int64_t n = 0; n < examples; ++n) {
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x) {
                body(n, y, x);
            }
        }
    }
}

/// Where windows of a layer lie in its source.
class Windows
{
public:
    Windows(const Extent& window, const Extent& stride, Padding padding, const Images& src)
        : m_window(window), m_stride(stride), m_src(src),
          m_top(paddingCells(padding, src.shape().height, window.height, stride.height).before),
          m_left(paddingCells(padding, src.shape().width, window.width, stride.width).before)
    {
    }

    /// Calls body(ky, kx, y, x) for every cell of the source under the window at (row, column).
    template<class Body>
    void forEach(std::int64_t row, std::int64_t column, Body body) const
    {
        for (std::int64_t ky = 0; ky < m_window.height; ++ky) {
            for (std::int64_t kx = 0; kx < m_window.width; ++kx) {
                const std::int64_t y = row * m_stride.height - m_top + ky;
                const std::int64_t x = column * m_stride.width - m_left + kx;
                if (m_src.contains(y, x)) {
                    body(ky, kx, y, x);
                }
            }
        }
    }

private:
    Extent m_window;
    Extent m_stride;
    const Images& m_src;
    std::int64_t m_top;
    std::int64_t m_left;
};

/// An input of a layer.
struct LayerSource
{
    Images values;
    Images diff; ///< may be empty: no gradient is wanted there
};

/// One layer of one pass. What is `src` or `diffSrc` belongs to its first input.
struct LayerPass
{
    std::int64_t examples;
    Images src;
    Images dst;
    Images diffSrc;
    Images diffDst;
    bool isTraining;
    const DropoutDraw& draw;
    int layer; ///< its number
    double lossScale;
    std::vector<LayerSource> sources;      ///< all inputs, in their order
    std::vector<const Values*> parameters; ///< all, in their order
    std::vector<Values*> gradients;

    // Of layers that begin with weights and bias.
    [[nodiscard]] double weight(std::size_t i) const { return (*parameters[0])[i]; }
    [[nodiscard]] double bias(std::int64_t out) const
    {
        return (*parameters[1])[static_cast<std::size_t>(out)];
    }
    [[nodiscard]] double& diffWeight(std::size_t i) const { return (*gradients[0])[i]; }
    [[nodiscard]] double& diffBias(std::int64_t out) const
    {
        return (*gradients[1])[static_cast<std::size_t>(out)];
    }
};

/// None or ReLU, of what the layer gives out, in place. Backward: from what came out of it.
void activate(Activation activation, const LayerPass& pass);
void activateBackward(Activation activation, const LayerPass& pass);

void forward(const Conv2d& conv, LayerPass& pass);
void backward(const Conv2d& conv, LayerPass& pass);
void forward(const ConvTranspose2d& conv, LayerPass& pass);
void backward(const ConvTranspose2d& conv, LayerPass& pass);
void forward(const Dense& dense, LayerPass& pass);
void backward(const Dense& dense, LayerPass& pass);
void forward(const Normalization& norm, LayerPass& pass);
void backward(const Normalization& norm, LayerPass& pass);
void forward(const LayerNorm& norm, LayerPass& pass);
void backward(const LayerNorm& norm, LayerPass& pass);
void forward(const AveragePool& pool, LayerPass& pass);
void backward(const AveragePool& pool, LayerPass& pass);
void forward(const GlobalPool& pool, LayerPass& pass);
void backward(const GlobalPool& pool, LayerPass& pass);
void forward(const Concat& concat, LayerPass& pass);
void backward(const Concat& concat, LayerPass& pass);
void forward(const Add& add, LayerPass& pass);
void backward(const Add& add, LayerPass& pass);
void forward(const Scale& scale, LayerPass& pass);
void backward(const Scale& scale, LayerPass& pass);
void forward(const Dropout& dropout, LayerPass& pass);
void backward(const Dropout& dropout, LayerPass& pass);
void forward(const Elementwise& elementwise, LayerPass& pass);
void backward(const Elementwise& elementwise, LayerPass& pass);

} // namespace lockstep::reference
