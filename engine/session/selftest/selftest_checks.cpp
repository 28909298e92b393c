// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest_checks.h"

#include "base/error.h"
#include "dataset/formats/synthetic.h"
#include "network/models/catalog.h"
#include "session/selftest/selftest_cases.h"
#include "session/selftest/selftest_optimizers.h"
#include "session/selftest/selftest_trial.h"
#include "session/step/stepper.h"

#include <fmt/core.h>

#include <cmath>
#include <type_traits>
#include <variant>

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20160701;
/// Of the data set that towers are compared on.
constexpr std::int64_t kExamples = 256;

/// How far a device may be from the reference. float32 rounds to 6e-8 and the sums of the largest
/// layers here have some thousand terms; tf32 and bfloat16 round operands to 5e-4 and 4e-3.
double toleranceOf(Precision precision)
{
    switch (precision) {
    case Precision::Float32:
        return 1e-5;
    case Precision::Tf32:
        return 5e-3;
    case Precision::Bfloat16:
        break;
    }
    return 4e-2;
}

/// Whether a layer decides by comparing: then a value next to its threshold, rounded to the other
/// side, moves a whole gradient.
bool hasThreshold(const LayerSpec& spec)
{
    return std::visit(
        []<class Spec>(const Spec& layer) {
            if constexpr (requires { layer.activation; }) {
                return layer.activation == Activation::Relu
                       || layer.activation == Activation::HardSwish
                       || layer.activation == Activation::HardSigmoid;
            } else if constexpr (requires { layer.reduction; }) {
                return layer.reduction == Reduction::Max;
            } else {
                return std::is_same_v<Spec, MaxPool>;
            }
        },
        spec);
}

ReplicaSettings trialSettings(const CheckPlace& place, std::int64_t rows)
{
    ReplicaSettings settings;
    settings.examples = rows;
    settings.precision = place.precision;
    settings.seed = kSeed;
    settings.algorithms = place.algorithms;
    return settings;
}

void checkOp(const CheckPlace& place, const OpCase& one, const CheckReport& report)
{
    const double tolerance = toleranceOf(place.precision);
    // float32 rounds so finely that among these few values none is so near.
    const double gradientTolerance = hasThreshold(one.spec) && place.precision != Precision::Float32
                                         ? 5.0 * tolerance
                                         : tolerance;
    const Trial trial(
        *place.device, networkAround(one), trialSettings(place, one.rows), one.areRowsMixed);
    report("forward", trial.outputError("layer"), tolerance);
    const auto layer = static_cast<std::size_t>(trial.network().outputs.front().layer);
    for (const int parameter : trial.network().layers[layer].parameters) {
        const ParameterSpec& spec = trial.network().parameters[static_cast<std::size_t>(parameter)];
        const std::string name = spec.name.substr(spec.name.rfind('.') + 1);
        report("gradient of " + name, trial.gradientError(parameter), gradientTolerance);
    }
    report("gradient of src", trial.gradientError(0), gradientTolerance);
    report("loss", trial.lossError(), tolerance);
}

void checkNetwork(
    const CheckPlace& place, const NetworkSpec& network, std::int64_t rows,
    const CheckReport& report)
{
    // A max pool or ReLU that decides otherwise for a value next to its threshold moves a whole
    // gradient, and every layer adds to the rounding.
    const double tolerance = 5.0 * toleranceOf(place.precision);
    Trial trial(*place.device, network, trialSettings(place, rows));
    report("logits", trial.outputError("logits"), tolerance);
    report("loss", trial.lossError(), tolerance);
    const auto updated = network.updatedParameters();
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        if (updated[i]) {
            report(
                "gradient of " + network.parameters[i].name,
                trial.gradientError(static_cast<int>(i)), tolerance);
        }
    }
    report("derivative of the loss along the gradient", trial.directionalError(), 20.0 * tolerance);
}

StepperSettings stepperSettings(
    const CheckPlace& place, const NetworkSpec& network, const Dataset& examples, int towers,
    std::int64_t rows)
{
    StepperSettings settings;
    settings.devices = {place.device};
    settings.network = &network;
    settings.dataset = &examples;
    settings.shape = {towers, 1, rows / towers};
    settings.precision = place.precision;
    settings.algorithms = place.algorithms;
    settings.input.globalBatch = rows;
    settings.input.distortion.cropHeight = network.inputShape().height;
    settings.input.distortion.cropWidth = network.inputShape().width;
    settings.schedule = [](std::int64_t) { return UpdateSettings{0.01, 0.9}; };
    return settings;
}

std::unique_ptr<Stepper> startedStepper(const StepperSettings& settings)
{
    auto stepper = makeStepper(settings);
    stepper->arena().initialize(*settings.network, kSeed);
    stepper->parametersChanged();
    stepper->start(0, 0);
    return stepper;
}

/// Loss and averaged gradient of the last of some steps, before its update.
struct TowerStep
{
    double loss = 0.0;
    double weightDecayLoss = 0.0;
    std::vector<float> gradient;
    std::string captureFailure;
};

/// How steps are made; the rows are those of all towers.
struct StepPlan
{
    int towers = 1;
    std::int64_t steps = 1;
    bool isCaptured = true;
};

constexpr std::int64_t kTowerRows = 32;

TowerStep stepOf(const CheckPlace& place, const NetworkSpec& network, const StepPlan& plan)
{
    const auto examples = openSynthetic(Split::Train, kSeed, kExamples);
    StepperSettings settings = stepperSettings(place, network, *examples, plan.towers, kTowerRows);
    settings.isCaptured = plan.isCaptured;
    const auto stepper = startedStepper(settings);
    TowerStep result;
    for (std::int64_t step = 0; step < plan.steps; ++step) {
        const StepOutcome outcome = stepper->next(plan.steps);
        result.loss = 0.0;
        for (const TowerResult& tower : outcome.towers) {
            result.loss += tower.lossSum / static_cast<double>(kTowerRows);
        }
        result.weightDecayLoss = outcome.weightDecayLoss;
    }
    result.captureFailure = stepper->captureFailure();
    result.gradient = partOf(*place.device, stepper->arena().layout(), stepper->averagedGradient());
    return result;
}

void checkTowers(const CheckPlace& place, const NetworkSpec& network, const CheckReport& report)
{
    const double tolerance = toleranceOf(place.precision);
    const TowerStep one = stepOf(place, network, {});
    for (const int towers : {2, 4}) {
        const TowerStep many = stepOf(place, network, {towers});
        const std::string what =
            fmt::format("{} x {} against 1 x {}", towers, kTowerRows / towers, kTowerRows);
        report(what + ", loss", std::abs(many.loss - one.loss) / one.loss, tolerance);
        report(what + ", averaged gradient", relativeError(many.gradient, one.gradient), tolerance);
    }
}

/// Steps that are replayed have to give the bits of steps that are enqueued one by one.
void checkCapture(const CheckPlace& place, const NetworkSpec& network, const CheckReport& report)
{
    constexpr std::int64_t kSteps = 5;
    const TowerStep eager = stepOf(place, network, {2, kSteps, false});
    const TowerStep captured = stepOf(place, network, {2, kSteps, true});
    if (!captured.captureFailure.empty()) {
        fail(ErrorCode::Device, "{}", captured.captureFailure);
    }
    report("loss after 5 steps", std::abs(captured.loss - eager.loss), 0.0);
    report(
        "averaged gradient after 5 steps", relativeError(captured.gradient, eager.gradient), 0.0);
}

/// The sum over all weights, which a device adds up in parts.
void checkWeightDecay(const CheckPlace& place, const CheckReport& report)
{
    constexpr double kTolerance = 1e-6; // of sums in float64, but of weights in float32
    const NetworkSpec network = cifar10Network();
    double expected = 0.0;
    const ReferenceParameters weights = referenceParameters(network, kSeed);
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        for (const double weight : weights[i]) {
            expected += network.parameters[i].weightDecay / 2.0 * weight * weight;
        }
    }
    const TowerStep step = stepOf(place, network, {});
    report("loss", std::abs(step.weightDecayLoss - expected) / expected, kTolerance);
}

void checkOptimizer(
    const CheckPlace& place, UpdateKind kind, double clipNorm, const CheckReport& report)
{
    // The update is float32 whatever the precision. Of weights that move by a thousandth in
    // these steps the rounding of the weights is 6e-5.
    constexpr double kTolerance = 1e-4;
    constexpr std::int64_t kRows = 8;
    const double rate = kind == UpdateKind::Adam || kind == UpdateKind::AdamW ? 0.001 : 0.1;
    OptimizerSettings optimizer = selftestOptimizer(kind);
    optimizer.clipNorm = clipNorm;
    const NetworkSpec network = cifar10Network();
    const auto examples = openSynthetic(Split::Train, kSeed, kExamples);
    StepperSettings settings = stepperSettings(place, network, *examples, 1, kRows);
    settings.optimizer = optimizer;
    settings.schedule = [&](std::int64_t step) { return updateAt(optimizer, rate, 0.9, step); };
    const auto stepper = startedStepper(settings);
    for (const auto& [what, error] :
         optimizerErrors(*place.device, network, *stepper, optimizer, rate)) {
        report(what, error, kTolerance);
    }
}

} // namespace

std::vector<SelftestCheck> selftestChecks(const CheckPlace& place)
{
    std::vector<SelftestCheck> checks;
    const auto add = [&](const std::string& name, auto check, auto... arguments) {
        checks.push_back(
            {name, [=](const CheckReport& report) { check(place, arguments..., report); }});
    };
    const bool isCapturing = !place.device->worksOnHost();
    if (isCapturing) {
        add("cifar10, captured against eager", checkCapture, cifar10Network());
    }
    for (const auto& cases : {smallCases(kSeed), largeCases()}) {
        for (const OpCase& one : cases) {
            add(one.name, checkOp, one);
        }
    }
    add("cifar10", checkNetwork, cifar10Network(), 4);
    add("masks", checkNetwork, maskTestNetwork(), 4);
    add("masks, large", checkNetwork, largeMaskTestNetwork(), kLargeMaskRows);
    add("dropout", checkNetwork, dropoutTestNetwork(), 4);
    add("cifar10, towers", checkTowers, cifar10Network());
    add("dropout, towers", checkTowers, dropoutTestNetwork());
    if (isCapturing) {
        add("dropout, captured against eager", checkCapture, dropoutTestNetwork());
    }
    add("weight decay", checkWeightDecay);
    for (const UpdateKind kind : updateKinds()) {
        add(fmt::format("update by {}", toString(kind)), checkOptimizer, kind, 0.0);
    }
    constexpr double kClipNorm = 0.05; // less than the gradients of the first steps have
    add("update by momentum, clipped", checkOptimizer, UpdateKind::Momentum, kClipNorm);
    return checks;
}

} // namespace lockstep
