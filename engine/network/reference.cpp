// SPDX-License-Identifier: Apache-2.0
#include "network/reference.h"

#include "network/reference_layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lockstep {
namespace reference {
namespace {

void forward(const Input& /*input*/, LayerPass& /*pass*/) {}
void backward(const Input& /*input*/, LayerPass& /*pass*/) {}

/// The cell of a window that holds its largest value: the first one, if several do. A NaN counts as
/// larger than all numbers, so that it is not lost.
struct LargestCell
{
    std::int64_t y = -1; ///< -1: no cell was seen yet
    std::int64_t x = -1;
    double value = 0.0;
};

template<class Body>
void forEachLargest(const MaxPool& pool, LayerPass& pass, Body body)
{
    const Windows windows(pool.window, pool.stride, pool.padding, pass.src);
    forEachCell(pass.examples, pass.dst, [&](auto n, auto row, auto column) {
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            LargestCell largest;
            windows.forEach(row, column, [&](auto /*ky*/, auto /*kx*/, auto y, auto x) {
                const double value = pass.src.at(n, y, x, c);
                const bool isLarger = !std::isnan(largest.value) && !(value <= largest.value);
                if (largest.y < 0 || isLarger) {
                    largest = {y, x, value};
                }
            });
            body(n, row, column, c, largest);
        }
    });
}

void forward(const MaxPool& pool, LayerPass& pass)
{
    forEachLargest(
        pool, pass, [&](auto n, auto row, auto column, auto c, const LargestCell& largest) {
            pass.dst.at(n, row, column, c) = largest.value;
        });
}

void backward(const MaxPool& pool, LayerPass& pass)
{
    forEachLargest(
        pool, pass, [&](auto n, auto row, auto column, auto c, const LargestCell& largest) {
            pass.diffSrc.at(n, largest.y, largest.x, c) += pass.diffDst.at(n, row, column, c);
        });
}

/// bias + alpha * sum of squares around channel c.
double lrnScale(
    const Lrn& lrn, const Images& src, std::int64_t n, std::int64_t y, std::int64_t x,
    std::int64_t c)
{
    double sum = 0.0;
    const std::int64_t last = std::min(src.shape().channels - 1, c + lrn.depthRadius);
    for (std::int64_t j = std::max<std::int64_t>(0, c - lrn.depthRadius); j <= last; ++j) {
        sum += src.at(n, y, x, j) * src.at(n, y, x, j);
    }
    return lrn.bias + lrn.alpha * sum;
}

void forward(const Lrn& lrn, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            pass.dst.at(n, y, x, c) =
                pass.src.at(n, y, x, c) * std::pow(lrnScale(lrn, pass.src, n, y, x, c), -lrn.beta);
        }
    });
}

void backward(const Lrn& lrn, LayerPass& pass)
{
    const std::int64_t channels = pass.dst.shape().channels;
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            // d(dst_c)/d(src_j) for every channel j that is part of c's sum.
            const double scale = lrnScale(lrn, pass.src, n, y, x, c);
            const double diff = pass.diffDst.at(n, y, x, c);
            pass.diffSrc.at(n, y, x, c) += diff * std::pow(scale, -lrn.beta);
            const double common = -2.0 * lrn.alpha * lrn.beta * diff * pass.src.at(n, y, x, c)
                                  * std::pow(scale, -lrn.beta - 1.0);
            const std::int64_t last = std::min(channels - 1, c + lrn.depthRadius);
            for (std::int64_t j = std::max<std::int64_t>(0, c - lrn.depthRadius); j <= last; ++j) {
                pass.diffSrc.at(n, y, x, j) += common * pass.src.at(n, y, x, j);
            }
        }
    });
}

/// The whole network, layer by layer.
class Interpreter
{
public:
    Interpreter(
        const NetworkSpec& network, const ReferenceParameters& parameters,
        const ReferenceRows& rows, bool isTraining)
        : m_network(network), m_parameters(parameters), m_rows(rows),
          m_examples(static_cast<std::int64_t>(rows.labels.size())), m_isTraining(isTraining),
          m_diffs(network.layers.size())
    {
    }

    void run(ReferencePass& pass)
    {
        for (const Layer& layer : m_network.layers) {
            pass.activations.emplace_back(
                static_cast<std::size_t>(m_examples * layer.shape.elements()));
        }
        std::ranges::copy(m_rows.images, pass.activations.front().begin());
        for (std::size_t i = 1; i < m_network.layers.size(); ++i) {
            visit(i, 1.0, pass, [](const auto& spec, LayerPass& one) { forward(spec, one); });
        }
    }

    /// Adds its loss; the gradient of its layer waits for runBackward().
    void loss(const Objective& objective, double lossScale, ReferencePass& pass)
    {
        const auto source = static_cast<std::size_t>(sourceOf(objective));
        m_diffs[source].resize(pass.activations[source].size());
        ObjectiveLoss one{
            pass.activations[source], m_diffs[source], objective.weight * lossScale, 0.0, 0};
        std::visit([&](const auto& kind) { lossOf(kind, one); }, objective.loss);
        pass.lossSum += objective.weight * one.lossSum;
        pass.correct += &objective == &m_network.objectives.front() ? one.correct : 0;
    }

    void runBackward(double lossScale, ReferencePass& pass)
    {
        const auto withGradient = m_network.layersWithGradient();
        for (std::size_t i = m_network.layers.size(); i-- > 1;) {
            if (!withGradient[i]) {
                continue;
            }
            for (const LayerId id : m_network.layers[i].inputs) {
                const auto input = static_cast<std::size_t>(id);
                if (withGradient[input]) {
                    m_diffs[input].resize(pass.activations[input].size());
                }
            }
            visit(
                i, lossScale, pass, [](const auto& spec, LayerPass& one) { backward(spec, one); });
        }
    }

private:
    struct ObjectiveLoss
    {
        const Values& logits;
        Values& diff;
        double scale; ///< d(loss) / d(loss of one row)
        double lossSum;
        std::int64_t correct;
    };

    /// Of class i in a row: what its labels, one or two, share out, times the weight of the class.
    [[nodiscard]] double targetOf(
        const SoftmaxCrossEntropy& kind, std::size_t i, std::size_t row, std::size_t classes) const
    {
        const MixedLabel mixed = m_rows.mixed.empty() ? MixedLabel{} : m_rows.mixed[row];
        const auto share = static_cast<double>(mixed.share);
        const auto number = static_cast<std::int32_t>(i);
        const double ofLabels = (number == m_rows.labels[row] ? share : 0.0)
                                + (number == mixed.other ? 1.0 - share : 0.0);
        const double smoothed = kind.labelSmoothing / static_cast<double>(classes);
        const double target = ofLabels * (1.0 - kind.labelSmoothing) + smoothed;
        return kind.classWeights.empty() ? target : target * double{kind.classWeights[i]};
    }

    void lossOf(const SoftmaxCrossEntropy& kind, ObjectiveLoss& one) const
    {
        const std::size_t classes = one.logits.size() / m_rows.labels.size();
        for (std::size_t row = 0; row < m_rows.labels.size(); ++row) {
            const double* values = one.logits.data() + row * classes;
            const double* largest = std::max_element(values, values + classes);
            double sum = 0.0;
            for (std::size_t i = 0; i < classes; ++i) {
                sum += std::exp(values[i] - *largest);
            }
            const auto label = static_cast<std::size_t>(m_rows.labels[row]);
            one.correct += static_cast<std::size_t>(largest - values) == label ? 1 : 0;
            double total = 0.0; // of the targets, each times its weight
            for (std::size_t i = 0; i < classes; ++i) {
                const double target = targetOf(kind, i, row, classes);
                total += target;
                // Not 0 * infinity, where a class that can't be has no part in the loss.
                one.lossSum +=
                    target == 0.0 ? 0.0 : target * (std::log(sum) + *largest - values[i]);
            }
            for (std::size_t i = 0; i < classes; ++i) {
                one.diff[row * classes + i] += one.scale
                                               * (total * std::exp(values[i] - *largest) / sum
                                                  - targetOf(kind, i, row, classes));
            }
        }
    }

    void lossOf(const SigmoidCrossEntropy& kind, ObjectiveLoss& one) const
    {
        const std::size_t cells = one.logits.size() / m_rows.labels.size();
        const std::size_t maskCells = m_rows.masks.size() / m_rows.labels.size();
        for (std::size_t row = 0; row < m_rows.labels.size(); ++row) {
            const auto mask = m_rows.masks.subspan(row * maskCells, maskCells);
            const double total = std::accumulate(mask.begin(), mask.end(), 0.0);
            bool isFound = false;
            bool isThere = false;
            for (std::size_t i = 0; i < cells; ++i) {
                const double logit = one.logits[row * cells + i];
                const double target = kind.target == SigmoidCrossEntropy::Target::Mask
                                          ? static_cast<double>(mask[i])
                                          : std::min(1.0, total);
                // -log(s) and -log(1 - s) of the sigmoid s.
                const double ofPositive = std::log1p(std::exp(-logit));
                const double ofNegative = std::log1p(std::exp(logit));
                const auto share = static_cast<double>(cells);
                one.lossSum += (target * ofPositive + (1.0 - target) * ofNegative) / share;
                one.diff[row * cells + i] +=
                    one.scale * (1.0 / (1.0 + std::exp(-logit)) - target) / share;
                isFound = isFound || logit > 0.0;
                isThere = isThere || target >= 0.5;
            }
            one.correct += isFound == isThere ? 1 : 0;
        }
    }

    template<class Visitor>
    void visit(std::size_t index, double lossScale, ReferencePass& pass, Visitor visitor)
    {
        const Layer& layer = m_network.layers[index];
        std::vector<LayerSource> sources;
        for (const LayerId id : layer.inputs) {
            const auto number = static_cast<std::size_t>(id);
            const Shape& shape = m_network.layers[number].shape;
            sources.push_back({{shape, pass.activations[number]}, {shape, m_diffs[number]}});
        }
        std::vector<const Values*> parameters;
        std::vector<Values*> gradients;
        for (const int parameter : layer.parameters) {
            parameters.push_back(&m_parameters[static_cast<std::size_t>(parameter)]);
            gradients.push_back(&pass.gradients[static_cast<std::size_t>(parameter)]);
        }
        LayerPass one{
            m_examples,
            sources.front().values,
            {layer.shape, pass.activations[index]},
            sources.front().diff,
            {layer.shape, m_diffs[index]},
            m_isTraining,
            m_rows.draw,
            static_cast<int>(index),
            lossScale,
            sources,
            std::move(parameters),
            std::move(gradients)};
        std::visit([&](const auto& spec) { visitor(spec, one); }, layer.spec);
    }

    const NetworkSpec& m_network;
    const ReferenceParameters& m_parameters;
    const ReferenceRows& m_rows;
    std::int64_t m_examples;
    bool m_isTraining;
    std::vector<Values> m_diffs;
};

} // namespace
} // namespace reference

ReferencePass referencePass(
    const NetworkSpec& network, const ReferenceParameters& parameters, const ReferenceRows& rows,
    double lossScale, ReferenceKind kind)
{
    ReferencePass pass;
    for (const auto& values : parameters) {
        pass.gradients.emplace_back(values.size());
    }
    reference::Interpreter interpreter(
        network, parameters, rows, kind != ReferenceKind::Evaluation);
    interpreter.run(pass);
    for (const Objective& objective : network.objectives) {
        interpreter.loss(objective, lossScale, pass);
    }
    if (kind == ReferenceKind::Training) {
        interpreter.runBackward(lossScale, pass);
    }
    return pass;
}

ReferenceParameters referenceParameters(const NetworkSpec& network, std::uint64_t seed)
{
    ReferenceParameters parameters;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(network.parameters[i].elements()));
        initialize(network.parameters[i].initializer, seed, static_cast<std::uint32_t>(i), values);
        parameters.emplace_back(values.begin(), values.end());
    }
    return parameters;
}

} // namespace lockstep
