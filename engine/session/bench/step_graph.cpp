// SPDX-License-Identifier: Apache-2.0
#include "session/bench/step_graph.h"

#include "base/error.h"
#include "network/cost.h"
#include "session/bench/bench_ceilings.h"
#include "session/bench/bench_trial.h"
#include "session/bench/bench_work.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

constexpr double kMicroseconds = 1e6; ///< in a second
constexpr double kFloatBytes = 4.0;

struct PassCost
{
    double bytes = 0.0;
    double flop = 0.0;
};
using PassCosts = std::map<std::pair<std::string, std::string>, PassCost>;

double bytesOf(std::size_t bytes)
{
    return static_cast<double>(bytes);
}

/// What the passes of all ops cost, of one tower.
class CostTable
{
public:
    CostTable(const NetworkSpec& network, const StepWork& work)
        : m_network(network), m_work(work), m_works(nodeWork(network))
    {
    }

    [[nodiscard]] PassCosts of(const std::vector<OpReport>& ops) const
    {
        PassCosts costs;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            Part part = partOf(i);
            if (ops[i].inner >= 0) {
                part.add(partOf(static_cast<std::size_t>(ops[i].inner)));
            }
            costs[{ops[i].layer, "forward"}] = {
                forwardBytes(ops[i], part.parameters), part.forwardFlop};
            costs[{ops[i].layer, "backward"}] = {backwardBytes(ops[i], part), part.backwardFlop};
        }
        return costs;
    }

    /// What both passes of all layers move of parameters and their gradients.
    [[nodiscard]] double parameterBytes(const std::vector<OpReport>& ops) const
    {
        double bytes = 0.0;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            const double parameters = partOf(i).parameters;
            bytes += forwardParameterBytes(parameters) + backwardParameterBytes(ops[i], parameters);
        }
        return bytes;
    }

private:
    /// A layer or objective.
    struct Part
    {
        OpTraffic traffic;
        double parameters = 0.0;
        double forwardFlop = 0.0;
        double backwardFlop = 0.0;

        /// What the op does besides, before this: the src of both is the src of that.
        void add(const Part& inner)
        {
            traffic.hasParameters = traffic.hasParameters || inner.traffic.hasParameters;
            traffic.needsSrc = inner.traffic.needsSrc;
            parameters += inner.parameters;
            forwardFlop += inner.forwardFlop;
            backwardFlop += inner.backwardFlop;
        }
    };

    [[nodiscard]] Part partOf(std::size_t number) const
    {
        const auto examples = static_cast<double>(m_work.examples);
        Part part{
            {false, false, true},
            0.0,
            examples * static_cast<double>(m_works[number].forward.flop),
            examples * static_cast<double>(m_works[number].backward.flop)};
        if (number < m_network.layers.size()) {
            const Layer& layer = m_network.layers[number];
            part.traffic = trafficOf(layer.spec);
            for (const int parameter : layer.parameters) {
                part.parameters += static_cast<double>(
                    m_network.parameters[static_cast<std::size_t>(parameter)].elements());
            }
        }
        return part;
    }
    [[nodiscard]] double forwardParameterBytes(double parameters) const
    {
        return valueBytes(m_work.precision) * parameters;
    }
    [[nodiscard]] double backwardParameterBytes(const OpReport& op, double parameters) const
    {
        return (kFloatBytes + (op.diffSrcBytes > 0 ? valueBytes(m_work.precision) : 0.0))
               * parameters;
    }
    [[nodiscard]] double forwardBytes(const OpReport& op, double parameters) const
    {
        return bytesOf(op.srcBytes) + bytesOf(op.workspaceBytes) + bytesOf(op.dstBytes)
               + forwardParameterBytes(parameters);
    }
    [[nodiscard]] double backwardBytes(const OpReport& op, const Part& part) const
    {
        const bool makesDiff = op.diffSrcBytes > 0;
        const bool readsDst =
            part.traffic.needsDst && op.workspaceBytes == 0 && !op.isGradientFinished;
        const double products = (part.traffic.hasParameters ? 1.0 : 0.0) + (makesDiff ? 1.0 : 0.0);
        return (products + (readsDst ? 1.0 : 0.0)) * bytesOf(op.dstBytes) + bytesOf(op.diffSrcBytes)
               + bytesOf(op.workspaceBytes) + (part.traffic.needsSrc ? bytesOf(op.srcBytes) : 0.0)
               + backwardParameterBytes(op, part.parameters);
    }

    const NetworkSpec& m_network;
    StepWork m_work;
    std::vector<NodeWork> m_works;
};

void addNode(std::vector<GraphLine>& lines, const GraphNode& node)
{
    auto line = std::ranges::find_if(lines, [&](const GraphLine& each) {
        return each.part == node.part && each.pass == node.pass;
    });
    if (line == lines.end()) {
        line = lines.insert(lines.end(), GraphLine{node.part, node.pass});
    }
    ++line->nodes;
    if (!node.kernel.empty()
        && std::ranges::find(line->kernels, node.kernel) == line->kernels.end()) {
        line->kernels.push_back(node.kernel);
    }
}

void price(GraphLine& line, const DeviceCeilings& ceilings, Precision precision)
{
    const auto rate = ceilings.flopPerSecond.find(precision);
    if (rate != ceilings.flopPerSecond.end() && ceilings.bytesPerSecond > 0.0) {
        line.floorMicroseconds =
            kMicroseconds * (line.flop / rate->second + line.bytes / ceilings.bytesPerSecond);
    }
}

/// Of all towers of the device, and of what follows their passes.
void price(
    StepGraphReport& report, const NetworkSpec& network, const PassCosts& costs,
    const StepWork& work, const DeviceCeilings& ceilings)
{
    const auto towers = static_cast<double>(report.towers);
    const double sumBytes =
        (towers + 1.0) * kFloatBytes * static_cast<double>(network.parameterElements());
    for (GraphLine& line : report.lines) {
        const auto cost = costs.find({line.part, line.pass});
        if (cost != costs.end()) {
            line.bytes = towers * cost->second.bytes;
            line.flop = towers * cost->second.flop;
        } else {
            const bool isTail = line.part == "tail";
            if (report.towers > 1 && (isTail || line.part == "average")) {
                line.bytes += sumBytes;
            }
            if (isTail || line.part == "update") {
                line.bytes += updateBytes(network, work.precision);
            }
        }
        price(line, ceilings, work.precision);
        report.bytes += line.bytes;
        if (line.floorMicroseconds) {
            report.floorMicroseconds =
                report.floorMicroseconds.value_or(0.0) + *line.floorMicroseconds;
        }
    }
}

} // namespace

std::size_t longestChain(const std::vector<GraphNode>& nodes)
{
    // Nodes come after those that they wait for.
    std::vector<std::size_t> lengths(nodes.size(), 1);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const std::size_t before : nodes[i].after) {
            require(before < i, "a node of a graph was captured before one that it waits for");
            lengths[i] = std::max(lengths[i], lengths[before] + 1);
        }
        longest = std::max(longest, lengths[i]);
    }
    return longest;
}

StepGraphReport reportStepGraph(
    const RunConfig& config, const BenchSettings& settings, const BenchProgress& progress)
{
    config.validate();
    const RunConfig generated = withBenchExamples(config);
    const auto examples = openBenchExamples(generated);
    const BenchTrial trial{generated, settings, *examples, progress, std::nullopt};
    const TrainingSession session(
        generated, *examples, [&progress] { return !progress || progress(0.0); });
    const Stepper& stepper = session.stepper();
    const Device& device = session.plan().devices.first();
    if (device.worksOnHost()) {
        fail(
            ErrorCode::BadInput, "device '{}' has no graph of a step; --profile times its layers",
            device.info().name);
    }
    const auto nodes = stepper.capturedNodes();
    StepWork work = workOf(trial, session);
    StepGraphReport report;
    report.model = session.plan().network.name;
    report.device = device.info().name;
    report.precision = generated.precision;
    report.batchPerTower = stepper.shape().batchPerTower;
    report.towers = static_cast<int>(work.examples / report.batchPerTower);
    report.nodes = nodes.size();
    report.longestChain = longestChain(nodes);
    for (const GraphNode& node : nodes) {
        addNode(report.lines, node);
    }
    const double separateBytes = bytesMoved(session.trainedNetwork(), work);
    work.examples = report.batchPerTower;
    const CostTable table(session.trainedNetwork(), work);
    const std::vector<OpReport> ops = stepper.report();
    report.separateBytes = separateBytes + report.towers * table.parameterBytes(ops);
    price(
        report, session.trainedNetwork(), table.of(ops), work,
        ceilingsFor(trial, session, std::nullopt));
    return report;
}

} // namespace lockstep
