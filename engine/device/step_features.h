// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <vector>

namespace lockstep {

/// What makes a step of an accelerator shorter, or tells of it. Each can be left out, to find a
/// fault or to measure what it brings; processors know none of them.
enum class StepFeature {
    FinishedGradients, ///< an op hands back gradients that are through the ReLU before it, and the
                       ///< gradient of that op's bias
    PoolAndNorm,       ///< a max pooling and a local response normalisation are one kernel
    Head,              ///< the last fully connected layer and the loss: two kernels both ways
    Epilogues,         ///< cuBLASLt masks gradients and sums those of biases
    Tail,              ///< average, checks, update and report are one kernel
    DependentLaunch,   ///< own kernels begin while the one before ends
    SeveralSteps,      ///< a graph holds several steps
    LastBlock,         ///< parts of sums are joined by the block that comes last
    Branches,          ///< branches of the network are branches of the graph
    Accumulation,      ///< products add to a gradient that is there instead of a pass of its own
    PhaseClock,        ///< towers note when their phases begin and end
    Count
};

/// The features of a step that are on.
class StepFeatures
{
public:
    [[nodiscard]] static StepFeatures all()
    {
        StepFeatures features;
        features.m_areOn.set();
        return features;
    }
    [[nodiscard]] bool has(StepFeature feature) const
    {
        return m_areOn.test(static_cast<std::size_t>(feature));
    }
    [[nodiscard]] StepFeatures without(StepFeature feature) const
    {
        StepFeatures features = *this;
        features.m_areOn.reset(static_cast<std::size_t>(feature));
        return features;
    }

private:
    std::bitset<static_cast<std::size_t>(StepFeature::Count)> m_areOn;
};

/// Names of all features, in their order: "finished_gradients", "pool_and_norm" …
std::vector<std::string> stepFeatureNames();
/// All but the named ones. Error(BadInput) lists the known names.
StepFeatures stepFeaturesWithout(const std::vector<std::string>& names);

} // namespace lockstep
