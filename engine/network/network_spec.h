// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/layer_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// Number of a layer in its network; a layer's inputs always have smaller numbers.
using LayerId = int;

/// What a parameter is to its layer.
enum class ParameterRole {
    Weights,        ///< of a normalisation: gamma
    Bias,           ///< of a normalisation: beta
    MovingMean,     ///< a statistic
    MovingVariance, ///< a statistic
};

/// A tensor that training moves. Shape is PyTorch's: convolution [out, in, height, width], fully
/// connected [out, in], anything else [out].
struct ParameterSpec
{
    std::string name; ///< "conv1.weight"
    std::vector<std::int64_t> shape;
    Initializer initializer;
    double weightDecay = 0.0;
    std::string group;
    LayerId layer = 0;
    ParameterRole role = ParameterRole::Weights;
    double decay = 0.0; ///< of a statistic: s = decay * s + (1 - decay) * moment

    [[nodiscard]] std::int64_t elements() const;
    /// Follows the data instead of a gradient. Lives in the arena like every parameter, but is not
    /// one of the model's: nothing counts, decays or measures it as such.
    [[nodiscard]] bool isStatistic() const
    {
        return role == ParameterRole::MovingMean || role == ParameterRole::MovingVariance;
    }
};

/// A layer in its place: where its input comes from and what comes out.
struct Layer
{
    std::string name;
    LayerSpec spec;
    std::vector<LayerId> inputs;
    Shape shape;                 ///< of what comes out, for one example
    std::vector<int> parameters; ///< numbers of its parameters, in the order of their roles
};

/// Whether it normalises by moments that all towers of a step make together.
[[nodiscard]] inline bool isSynchronised(const Layer& layer)
{
    const auto* const normalization = std::get_if<Normalization>(&layer.spec);
    return normalization != nullptr && normalization->mode == NormalizationMode::Synchronised;
}

/// Mean over the batch of - sum over the classes of weight * target * log(softmax(logits)), where
/// the target is 1 - labelSmoothing for the label, plus labelSmoothing / classes for every class
/// (Szegedy et al., "Rethinking the Inception architecture", 2015). Without smoothing:
/// -log(softmax[label]).
struct SoftmaxCrossEntropy
{
    LayerId logits = 0;
    double labelSmoothing = 0.0; ///< at least 0, below 1
    /// Of each class's term of the sum, not negative; none: all 1. The mean is that over the rows,
    /// whatever their weights are, so that towers can share it out.
    std::vector<float> classWeights = {};
};

/// Mean over the batch of the sigmoid cross entropy -t * log(s) - (1 - t) * log(1 - s),
/// s = sigmoid(logit), t from the row's mask.
struct SigmoidCrossEntropy
{
    enum class Target {
        Mask,    ///< a logit for each cell of the mask; a row's loss is the mean over its cells
        MaskSum, ///< one logit; t = min(1, sum of the row's mask)
    };
    LayerId logits = 0;
    Target target = Target::Mask;
};

/// One term of the loss. The loss of a tower is the sum of weight * term, plus the weight decay of
/// the parameters that the objectives train.
struct Objective
{
    std::string name;
    double weight = 1.0; ///< 0: its loss is computed and reported, but trains nothing
    std::variant<SoftmaxCrossEntropy, SigmoidCrossEntropy> loss;
    std::vector<std::string> groups; ///< parameter groups that it trains; empty: all
    /// Its weight in the whole network is 0, so that no phase trains it. NetworkBuilder says so.
    bool isReportedOnly = false;

    [[nodiscard]] bool isActive() const { return weight != 0.0; }
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
    /// Of the mask that every row brings, one value a cell; none: the network needs no masks.
    std::optional<Shape> maskShape = std::nullopt;

    [[nodiscard]] const Shape& inputShape() const { return layers.front().shape; }
    /// Statistics are not counted.
    [[nodiscard]] std::int64_t parameterElements() const;
    /// Of the layers that the objective depends on: the others it can do without.
    [[nodiscard]] std::int64_t parameterElementsBelow(const Objective& objective) const;
    /// Number of a layer's parameter; none: the layer has no such one.
    [[nodiscard]] std::optional<int> parameterOf(const Layer& layer, ParameterRole role) const;
    /// Names of the parameter groups, in the order of the parameters.
    [[nodiscard]] std::vector<std::string> groups() const;

    /// For every layer: does a gradient pass through it on the way from an active objective to a
    /// parameter that the objective trains?
    [[nodiscard]] std::vector<bool> layersWithGradient() const;
    /// For every parameter: does an active objective train it? Never a statistic.
    [[nodiscard]] std::vector<bool> trainedParameters() const;
    /// For every parameter: does a step change it? The trained ones, and the statistics of layers
    /// that an active objective reads and whose group it trains.
    [[nodiscard]] std::vector<bool> updatedParameters() const;

    /// The network of a phase: the named objectives are trained together, on the groups that any of
    /// them trains except for the frozen ones; the others stay with weight 0. Error(BadInput) for
    /// unknown names and where nothing is left to train.
    [[nodiscard]] NetworkSpec withObjectives(
        const std::vector<std::string>& names, const std::vector<std::string>& frozenGroups) const;
};

/// The objectives that a text means: one name, several joined with "+", or "joint" for all.
/// Error(BadInput) lists the names.
std::vector<std::string> objectivesNamed(const NetworkSpec& network, const std::string& text);

/// Objectives that are trained together must train the same groups: a layer below two of them has
/// one gradient, so one of them would move what only the other may. Error(BadInput) says which.
void checkTrainedTogether(const NetworkSpec& network);

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
    /// Rows bring a mask of this size; needed by objectives whose target is one.
    void mask(std::int64_t height, std::int64_t width);
    void objective(Objective objective);

    /// Of what comes out of a layer, for one example.
    [[nodiscard]] const Shape& shapeOf(LayerId layer) const;

    /// The finished network. Needs at least one objective.
    [[nodiscard]] NetworkSpec build() const;

private:
    void addParameters(const Shape& src);
    void addParameter(
        ParameterRole role, const std::vector<std::int64_t>& shape,
        const ParameterSettings& settings);
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
