// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/layer_spec.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// Number of a layer in its network; a layer's inputs always have smaller numbers.
using LayerId = int;

/// A tensor that training moves. Shape is PyTorch's: convolution [out, in, height, width], fully
/// connected [out, in], bias [out].
struct ParameterSpec
{
    std::string name; ///< "conv1.weight"
    std::vector<std::int64_t> shape;
    Initializer initializer;
    double weightDecay = 0.0;
    std::string group;
    LayerId layer = 0;

    [[nodiscard]] std::int64_t elements() const;
};

/// A layer in its place: where its input comes from and what comes out.
struct Layer
{
    std::string name;
    LayerSpec spec;
    std::vector<LayerId> inputs;
    Shape shape;                 ///< of what comes out, for one example
    std::vector<int> parameters; ///< numbers of its parameters: weights, then bias
};

/// Mean over the batch of -log(softmax(logits)[label]).
struct SoftmaxCrossEntropy
{
    LayerId logits = 0;
};

/// One term of the loss. The loss of a tower is the sum of weight * term, plus the weight decay of
/// the parameters that the objectives train.
struct Objective
{
    std::string name;
    double weight = 1.0;
    std::variant<SoftmaxCrossEntropy> loss;
    std::vector<std::string> groups; ///< parameter groups that it trains; empty: all
};

/// The layer whose values an objective reads.
LayerId sourceOf(const Objective& objective);

/// A layer whose values are of interest outside, by name.
struct NamedOutput
{
    std::string name;
    LayerId layer = 0;
};

/// What is computed: layers in an order in which they can be computed, parameters, outputs and
/// objectives. A value that knows no device, batch size or tower count. Made by NetworkBuilder,
/// which checks it; immutable and thread-safe afterwards.
struct NetworkSpec
{
    std::string name;
    std::int64_t classes = 0;
    std::vector<Layer> layers;
    std::vector<ParameterSpec> parameters;
    std::vector<NamedOutput> outputs;
    std::vector<Objective> objectives;

    [[nodiscard]] const Shape& inputShape() const { return layers.front().shape; }
    [[nodiscard]] std::int64_t parameterElements() const;

    /// For every layer: does a gradient pass through it on the way from an objective to a parameter
    /// that the objective trains?
    [[nodiscard]] std::vector<bool> layersWithGradient() const;
    /// For every parameter: does an objective train it?
    [[nodiscard]] std::vector<bool> trainedParameters() const;
};

/// Builds a network layer by layer; each call infers the shape, makes the parameters and returns
/// the layer's number. Anything that can't be (a window larger than its input, a name used twice,
/// an unknown input) throws Error(BadInput) that names the layer.
class NetworkBuilder
{
public:
    NetworkBuilder(std::string name, const Shape& input, std::int64_t classes);

    /// `inputs` are the layers that it reads.
    LayerId add(const std::string& name, const LayerSpec& spec, const std::vector<LayerId>& inputs);
    void output(const std::string& name, LayerId layer);
    void objective(Objective objective);

    /// The finished network. Needs at least one objective.
    [[nodiscard]] NetworkSpec build() const;

private:
    void addParameters(
        const std::string& layer, const ParameterSettings& settings,
        const std::vector<std::int64_t>& weights);
    [[nodiscard]] bool exists(LayerId layer) const;

    NetworkSpec m_spec;
};

/// Cells of padding before and after `size` cells under windows of `window` cells.
struct PaddingCells
{
    std::int64_t before = 0;
    std::int64_t after = 0;
};
PaddingCells paddingCells(
    Padding padding, std::int64_t size, std::int64_t window, std::int64_t stride);

} // namespace lockstep
