// SPDX-License-Identifier: Apache-2.0
// Layers that multiply by a matrix of weights.
#include "network/reference_layer.h"

namespace lockstep::reference {
namespace {

/// Calls body(index of the weight, input channel, output channel) for the products of one cell
/// under the filter's (ky, kx).
template<class Body>
void forEachFilter(
    const Conv2d& conv, std::int64_t srcChannels, std::int64_t ky, std::int64_t kx, Body body)
{
    const std::int64_t ins = srcChannels / conv.groups;
    const std::int64_t outs = conv.channels / conv.groups;
    for (std::int64_t out = 0; out < conv.channels; ++out) {
        for (std::int64_t in = 0; in < ins; ++in) {
            const std::int64_t filter = (out * ins + in) * conv.kernel.height + ky;
            body(
                static_cast<std::size_t>(filter * conv.kernel.width + kx), out / outs * ins + in,
                out);
        }
    }
}

} // namespace

void forward(const Conv2d& conv, LayerPass& pass)
{
    const Windows windows(conv.kernel, conv.stride, conv.padding, pass.src);
    const std::int64_t srcChannels = pass.src.shape().channels;
    forEachCell(pass.examples, pass.dst, [&](auto n, auto row, auto column) {
        for (std::int64_t out = 0; conv.hasBias && out < conv.channels; ++out) {
            pass.dst.at(n, row, column, out) = pass.bias(out);
        }
        windows.forEach(row, column, [&](auto ky, auto kx, auto y, auto x) {
            forEachFilter(conv, srcChannels, ky, kx, [&](auto weight, auto in, auto out) {
                pass.dst.at(n, row, column, out) += pass.src.at(n, y, x, in) * pass.weight(weight);
            });
        });
    });
    activate(conv.activation, pass);
}

void backward(const Conv2d& conv, LayerPass& pass)
{
    activateBackward(conv.activation, pass);
    const Windows windows(conv.kernel, conv.stride, conv.padding, pass.src);
    const std::int64_t srcChannels = pass.src.shape().channels;
    forEachCell(pass.examples, pass.dst, [&](auto n, auto row, auto column) {
        for (std::int64_t out = 0; conv.hasBias && out < conv.channels; ++out) {
            pass.diffBias(out) += pass.diffDst.at(n, row, column, out);
        }
        windows.forEach(row, column, [&](auto ky, auto kx, auto y, auto x) {
            forEachFilter(conv, srcChannels, ky, kx, [&](auto weight, auto in, auto out) {
                const double diff = pass.diffDst.at(n, row, column, out);
                pass.diffWeight(weight) += diff * pass.src.at(n, y, x, in);
                if (!pass.diffSrc.empty()) {
                    pass.diffSrc.at(n, y, x, in) += diff * pass.weight(weight);
                }
            });
        });
    });
}

namespace {

/// Calls body(weight, n, row, column, in, y, x, out): the value of src at (row, column) and the
/// value of dst at (y, x) that it adds to.
template<class Body>
void forEachTransposed(const ConvTranspose2d& conv, LayerPass& pass, Body body)
{
    const Windows windows(conv.kernel, conv.stride, conv.padding, pass.dst);
    forEachCell(pass.examples, pass.src, [&](auto n, auto row, auto column) {
        windows.forEach(row, column, [&](auto ky, auto kx, auto y, auto x) {
            for (std::int64_t in = 0; in < pass.src.shape().channels; ++in) {
                for (std::int64_t out = 0; out < conv.channels; ++out) {
                    const std::int64_t filter = in * conv.channels + out;
                    const std::int64_t weight =
                        (filter * conv.kernel.height + ky) * conv.kernel.width + kx;
                    body(static_cast<std::size_t>(weight), n, row, column, in, y, x, out);
                }
            }
        });
    });
}

} // namespace

void forward(const ConvTranspose2d& conv, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t out = 0; conv.hasBias && out < conv.channels; ++out) {
            pass.dst.at(n, y, x, out) = pass.bias(out);
        }
    });
    forEachTransposed(
        conv, pass,
        [&](auto weight, auto n, auto row, auto column, auto in, auto y, auto x, auto out) {
            pass.dst.at(n, y, x, out) += pass.src.at(n, row, column, in) * pass.weight(weight);
        });
}

void backward(const ConvTranspose2d& conv, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t out = 0; conv.hasBias && out < conv.channels; ++out) {
            pass.diffBias(out) += pass.diffDst.at(n, y, x, out);
        }
    });
    forEachTransposed(
        conv, pass,
        [&](auto weight, auto n, auto row, auto column, auto in, auto y, auto x, auto out) {
            const double diff = pass.diffDst.at(n, y, x, out);
            pass.diffWeight(weight) += diff * pass.src.at(n, row, column, in);
            if (!pass.diffSrc.empty()) {
                pass.diffSrc.at(n, row, column, in) += diff * pass.weight(weight);
            }
        });
}

namespace {

/// Calls body(weight, n, y, x, c) for every value that one unit reads: channel by channel, row by
/// row.
template<class Body>
void forEachInput(const LayerPass& pass, std::int64_t unit, Body body)
{
    auto weight = static_cast<std::size_t>(unit * pass.src.shape().elements());
    for (std::int64_t c = 0; c < pass.src.shape().channels; ++c) {
        for (std::int64_t y = 0; y < pass.src.shape().height; ++y) {
            for (std::int64_t x = 0; x < pass.src.shape().width; ++x) {
                body(weight++, y, x, c);
            }
        }
    }
}

} // namespace

void forward(const Dense& dense, LayerPass& pass)
{
    for (std::int64_t n = 0; n < pass.examples; ++n) {
        for (std::int64_t unit = 0; unit < dense.units; ++unit) {
            double sum = pass.bias(unit);
            forEachInput(pass, unit, [&](auto weight, auto y, auto x, auto c) {
                sum += pass.src.at(n, y, x, c) * pass.weight(weight);
            });
            pass.dst.at(n, 0, 0, unit) = sum;
        }
    }
    activate(dense.activation, pass);
}

void backward(const Dense& dense, LayerPass& pass)
{
    activateBackward(dense.activation, pass);
    for (std::int64_t n = 0; n < pass.examples; ++n) {
        for (std::int64_t unit = 0; unit < dense.units; ++unit) {
            const double diff = pass.diffDst.at(n, 0, 0, unit);
            pass.diffBias(unit) += diff;
            forEachInput(pass, unit, [&](auto weight, auto y, auto x, auto c) {
                pass.diffWeight(weight) += diff * pass.src.at(n, y, x, c);
                if (!pass.diffSrc.empty()) {
                    pass.diffSrc.at(n, y, x, c) += diff * pass.weight(weight);
                }
            });
        }
    }
}

} // namespace lockstep::reference
