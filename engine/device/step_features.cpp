// SPDX-License-Identifier: Apache-2.0
#include "device/step_features.h"

#include "base/enum_names.h"

#include <fmt/ranges.h>

namespace lockstep {
namespace {

constexpr EnumNames<StepFeature, static_cast<std::size_t>(StepFeature::Count)> kFeatures{
    {"finished_gradients", "pool_and_norm", "head", "epilogues", "tail", "dependent_launch",
     "several_steps", "last_block", "branches", "accumulation", "phase_clock"}};

} // namespace

std::vector<std::string> stepFeatureNames()
{
    return {kFeatures.names.begin(), kFeatures.names.end()};
}

StepFeatures stepFeaturesWithout(const std::vector<std::string>& names)
{
    StepFeatures features = StepFeatures::all();
    for (const std::string& name : names) {
        const auto feature = kFeatures.find(name);
        if (!feature) {
            fail(
                ErrorCode::BadInput, "gpu.without names '{}', but must name some of: {}", name,
                fmt::join(kFeatures.names, ", "));
        }
        features = features.without(*feature);
    }
    return features;
}

} // namespace lockstep
