// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "storage/checkpoint/checkpoint.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

// Includes ONNX's messages, so no header outside this folder includes it.
namespace lockstep {

/// Adds the nodes of an ONNX graph, layer by layer. Every value is [batch, channels, height,
/// width]; that of layer "conv1" is "conv1:0".
class OnnxGraph
{
public:
    OnnxGraph(
        const NetworkSpec& network, std::span<const NamedTensor> weights, onnx::GraphProto& graph);

    void addLayer(const Layer& layer);
    /// Gives a layer's value the name of an output.
    void addOutput(const NamedOutput& output);

    // One for each kind of layer; the first is the graph's input.
    void operator()(const Input& input);
    void operator()(const Conv2d& conv);
    void operator()(const ConvTranspose2d& conv);
    void operator()(const MaxPool& pool);
    void operator()(const AveragePool& pool);
    void operator()(const Lrn& lrn);
    void operator()(const Dense& dense);
    void operator()(const Normalization& norm);
    void operator()(const LayerNorm& norm);
    void operator()(const GlobalPool& pool);
    void operator()(const Concat& concat);
    void operator()(const Add& add);
    void operator()(const Scale& scale);
    void operator()(const Dropout& dropout);
    void operator()(const Elementwise& elementwise);

private:
    using Names = std::vector<std::string>;
    using Numbers = std::vector<std::int64_t>;

    onnx::NodeProto& node(const char* type, const Names& inputs, const std::string& output);
    onnx::NodeProto& windows(
        const char* type, const Names& inputs, const std::string& output, const Extent& window,
        const Extent& stride);
    void pads(
        onnx::NodeProto& node, Padding padding, const Extent& window, const Extent& stride,
        const Shape& src);
    std::string constant(
        const std::string& name, const Numbers& shape, std::span<const float> values);
    std::string numbers(const std::string& name, const Numbers& values);
    std::string parameter(ParameterRole role);
    /// Of every channel the same.
    std::string same(const std::string& name, float value);
    /// What the layer makes before activate().
    [[nodiscard]] std::string before(Activation activation) const;
    void activate(Activation activation);

    [[nodiscard]] const Shape& shapeOf(LayerId layer) const;
    /// The layer's value.
    [[nodiscard]] const std::string& dst() const;
    /// The value of input number `i`.
    [[nodiscard]] const std::string& src(std::size_t i = 0) const;

    const NetworkSpec& m_network;
    std::map<std::string, const NamedTensor*> m_weights;
    onnx::GraphProto& m_graph;
    std::vector<std::string> m_values; ///< of the layers, by number
    const Layer* m_layer = nullptr;    ///< that is being added
};

} // namespace lockstep
