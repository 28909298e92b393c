// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "network/network_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

constexpr std::int64_t kSelftestClasses = 10; ///< of its networks

/// A layer under test, and what it is called.
struct OpCase
{
    std::string name; ///< "conv2d 5x5/1 same 3->64 on 14x9"
    Shape src;
    LayerSpec spec;
    double labelSmoothing = 0.0; ///< of the loss behind it
    std::int64_t rows = 5;
    std::vector<float> classWeights = {}; ///< of the loss
    bool areRowsMixed = false;            ///< each has a second label
};

/// Draws layers of random shapes, odd sizes, strides and borders among them; the same ones for the
/// same seed.
class OpCaseMaker
{
public:
    explicit OpCaseMaker(std::uint64_t seed);

    OpCase convolution();
    /// Of 1 to 4 groups, or depthwise, with half padding.
    OpCase groupedConvolution(bool isDepthwise);
    OpCase transposedConvolution();
    OpCase maxPool();
    OpCase averagePool();
    OpCase lrn();
    OpCase dense();
    OpCase dropout();
    /// A fully connected layer in front of a loss with smoothed labels.
    OpCase smoothedLabels();
    /// And with weights of the classes.
    OpCase weightedClasses();
    /// Mode number `mode`, in turn.
    OpCase normalization(int mode);
    OpCase layerNorm();
    OpCase globalPool(Reduction reduction);
    OpCase elementwise(Activation activation);
    OpCase concat();
    OpCase add();
    OpCase scale();
    /// Not drawn at random: always one and the same case.
    static OpCase wideConvolution();

private:
    std::int64_t between(std::int64_t low, std::int64_t high);
    std::int64_t channels();
    Shape shape();

    PhiloxStream m_random;
};

/// Some of every kind, the same ones for the same seed.
std::vector<OpCase> smallCases(std::uint64_t seed);

/// One of every op that adds up: so many positions or rows that several blocks of a GPU share them
/// out, and few channels, as the reference takes its time.
std::vector<OpCase> largeCases();

/// Weights that keep values near 1 where each is a sum of `terms`, and a bias that shows.
ParameterSettings parametersFor(std::int64_t terms);

/// The layer, an output named "layer", between a 1 x 1 convolution, whose gradient (parameters 0
/// and 1) shows that of the layer's src, and a classifier. A Concat joins it with another one, an
/// Add adds another one with fewer channels, a Scale multiplies it by its own means.
NetworkSpec networkAround(const OpCase& one);

/// A small network for the synthetic data set, with average pools, dropout of images and of
/// vectors, and smoothed labels.
NetworkSpec dropoutTestNetwork();

/// A small network with masks: normalised convolutions down to a map of logits, and a branch behind
/// it down to one logit, both trained by sigmoid cross entropy.
NetworkSpec maskTestNetwork();

/// A map and an image's logit of masks of so many cells that a block of a GPU goes over them more
/// than once, as it does over kLargeMaskRows rows.
NetworkSpec largeMaskTestNetwork();
inline constexpr std::int64_t kLargeMaskRows = 260;

} // namespace lockstep
