// SPDX-License-Identifier: Apache-2.0
#include "averaging/averaging_plan.h"

#include "base/enum_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr EnumNames<MissingGradient, 2> kPolicies{{"error", "zeros"}};
constexpr EnumNames<MomentMerge, 3> kMerges{{"mean", "last", "first"}};

void checkGradient(
    const ParameterSpec& parameter, const GradientDescription& gradient, std::size_t tower)
{
    if (gradient.form == GradientForm::RowSparse) {
        fail(
            ErrorCode::BadInput,
            "tower {}: the gradient of '{}' is row-sparse; only dense gradients can be averaged, "
            "because the towers' rows differ and the sum would depend on them: make it dense",
            tower, parameter.name);
    }
    if (gradient.form == GradientForm::Dense && gradient.shape != parameter.shape) {
        fail(
            ErrorCode::BadInput,
            "tower {}: the gradient of '{}' has the shape [{}], but the parameter has [{}]", tower,
            parameter.name, fmt::join(gradient.shape, ", "), fmt::join(parameter.shape, ", "));
    }
}

/// Decides whether one parameter is averaged.
bool decide(
    const ParameterSpec& parameter, std::size_t number, const AveragingPlan& plan,
    MissingGradient missing)
{
    const auto has = [&](const std::vector<bool>& tower) { return tower[number]; };
    if (std::ranges::none_of(plan.isPresent, has)) {
        return false;
    }
    const auto without = std::ranges::find_if_not(plan.isPresent, has);
    if (without != plan.isPresent.end() && missing == MissingGradient::Error) {
        fail(
            ErrorCode::BadInput,
            "tower {} has no gradient for '{}', but other towers have; set "
            "averaging.missing_gradient = \"zeros\" to count it as zeros",
            without - plan.isPresent.begin(), parameter.name);
    }
    return true;
}

std::vector<float> momentWeights(const std::vector<float>& towerWeights, MomentMerge merge)
{
    if (merge == MomentMerge::Mean) {
        return towerWeights;
    }
    std::vector<float> weights(towerWeights.size());
    (merge == MomentMerge::Last ? weights.back() : weights.front()) = 1.0F;
    return weights;
}

} // namespace

MissingGradient missingGradientByName(const std::string& name)
{
    return kPolicies.named(name, "averaging.missing_gradient is '{}'; choose error or zeros");
}

std::string toString(MissingGradient policy)
{
    return std::string(kPolicies.of(policy));
}

MomentMerge momentMergeByName(const std::string& name)
{
    return kMerges.named(name, "model.moments is '{}'; choose mean, last or first");
}

AveragingPlan planAveraging(
    const NetworkSpec& network, const std::vector<TowerContribution>& towers,
    MissingGradient missing, MomentMerge moments)
{
    require(!towers.empty(), "averaging needs at least one tower");
    checkTrainedTogether(network);
    std::int64_t examples = 0;
    for (const TowerContribution& tower : towers) {
        examples += tower.examples;
    }
    AveragingPlan plan;
    for (std::size_t t = 0; t < towers.size(); ++t) {
        if (towers[t].examples <= 0) {
            fail(ErrorCode::BadInput, "tower {}: an empty batch has no gradient", t);
        }
        require(
            towers[t].gradients.size() == network.parameters.size(),
            "a tower must describe the gradient of every parameter");
        plan.towerWeights.push_back(static_cast<float>(
            static_cast<double>(towers[t].examples) / static_cast<double>(examples)));
        auto& present = plan.isPresent.emplace_back();
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            checkGradient(network.parameters[i], towers[t].gradients[i], t);
            present.push_back(towers[t].gradients[i].form == GradientForm::Dense);
        }
    }
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        plan.isAveraged.push_back(decide(network.parameters[i], i, plan, missing));
        plan.isStatistic.push_back(network.parameters[i].isStatistic());
    }
    plan.momentWeights = momentWeights(plan.towerWeights, moments);
    return plan;
}

} // namespace lockstep
