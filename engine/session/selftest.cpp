// SPDX-License-Identifier: Apache-2.0
#include "session/selftest.h"

#include "dataset/synthetic.h"
#include "device/accelerator.h"
#include "network/models/catalog.h"
#include "session/selftest_cases.h"
#include "session/selftest_optimizers.h"
#include "session/selftest_trial.h"
#include "session/stepper.h"

#include <fmt/format.h>

#include <cmath>

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
    if (const auto* conv = std::get_if<Conv2d>(&spec)) {
        return conv->activation == Activation::Relu;
    }
    if (const auto* dense = std::get_if<Dense>(&spec)) {
        return dense->activation == Activation::Relu;
    }
    if (const auto* norm = std::get_if<Normalization>(&spec)) {
        return norm->activation == Activation::Relu;
    }
    if (const auto* pool = std::get_if<GlobalPool>(&spec)) {
        return pool->reduction == Reduction::Max;
    }
    const auto* elementwise = std::get_if<Elementwise>(&spec);
    return std::holds_alternative<MaxPool>(spec)
           || (elementwise != nullptr && elementwise->activation == Activation::Relu);
}

/// Runs everything on one device and gathers the lines.
class Selftest
{
public:
    Selftest(const Device& device, const std::function<void(const SelftestLine&)>& report)
        : m_device(device), m_report(report)
    {
    }

    std::vector<SelftestLine> run()
    {
        for (const Precision precision : m_device.info().precisions) {
            m_precision = precision;
            m_device.enterThread(1);
            testOps();
            testNetwork("cifar10", cifar10Network());
            testNetwork("masks", maskTestNetwork());
            testNetwork("dropout", dropoutTestNetwork());
            testTowers("cifar10", cifar10Network());
            testTowers("dropout", dropoutTestNetwork());
            for (const UpdateKind kind : updateKinds()) {
                testOptimizer(kind);
            }
        }
        return std::move(m_lines);
    }

private:
    void add(const std::string& name, double error, double tolerance)
    {
        m_lines.push_back({fmt::format("{} {}", toString(m_precision), name), error, tolerance});
        if (m_report) {
            m_report(m_lines.back());
        }
    }

    void testOps()
    {
        OpCaseMaker make(kSeed);
        for (int i = 0; i < 6; ++i) {
            testOp(make.convolution());
        }
        for (int i = 0; i < 3; ++i) {
            testOp(make.maxPool());
            testOp(make.lrn());
            testOp(make.dense());
            testOp(make.averagePool());
            testOp(make.dropout());
        }
        testOp(make.smoothedLabels());
        for (int mode = 0; mode < 4; ++mode) {
            testOp(make.normalization(mode));
        }
        testOp(OpCaseMaker::wideConvolution());
        testOp(make.concat());
        for (const auto activation : {Activation::Relu, Activation::Sigmoid}) {
            testOp(make.elementwise(activation));
        }
        for (const auto reduction : {Reduction::Average, Reduction::Max}) {
            testOp(make.globalPool(reduction));
        }
    }

    void testOp(const OpCase& one)
    {
        constexpr std::int64_t kRows = 5;
        const double tolerance = toleranceOf(m_precision);
        // float32 rounds so finely that among these few values none is so near.
        const double gradientTolerance = hasThreshold(one.spec) && m_precision != Precision::Float32
                                             ? 5.0 * tolerance
                                             : tolerance;
        const Trial trial(m_device, networkAround(one), kRows, m_precision, kSeed);
        add(one.name + ", forward", trial.outputError("layer"), tolerance);
        const auto layer = static_cast<std::size_t>(trial.network().outputs.front().layer);
        for (const int parameter : trial.network().layers[layer].parameters) {
            const ParameterSpec& spec =
                trial.network().parameters[static_cast<std::size_t>(parameter)];
            const std::string name = spec.name.substr(spec.name.rfind('.') + 1);
            add(fmt::format("{}, gradient of {}", one.name, name), trial.gradientError(parameter),
                gradientTolerance);
        }
        add(one.name + ", gradient of src", trial.gradientError(0), gradientTolerance);
        add(one.name + ", loss", trial.lossError(), tolerance);
    }

    void testNetwork(const std::string& name, const NetworkSpec& network)
    {
        constexpr std::int64_t kRows = 4;
        // A max pool or ReLU that decides otherwise for a value next to its threshold moves a whole
        // gradient, and every layer adds to the rounding.
        const double tolerance = 5.0 * toleranceOf(m_precision);
        Trial trial(m_device, network, kRows, m_precision, kSeed);
        add(name + ", logits", trial.outputError("logits"), tolerance);
        add(name + ", loss", trial.lossError(), tolerance);
        const auto updated = network.updatedParameters();
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            if (updated[i]) {
                add(fmt::format("{}, gradient of {}", name, network.parameters[i].name),
                    trial.gradientError(static_cast<int>(i)), tolerance);
            }
        }
        add(name + ", derivative of the loss along the gradient", trial.directionalError(),
            20.0 * tolerance);
    }

    void testTowers(const std::string& name, const NetworkSpec& network)
    {
        constexpr std::int64_t kRows = 32;
        const double tolerance = toleranceOf(m_precision);
        const TowerStep one = stepOf(network, 1, kRows);
        for (const int towers : {2, 4}) {
            const TowerStep many = stepOf(network, towers, kRows);
            const std::string what = fmt::format(
                "{}, {} towers x {} against 1 x {}", name, towers, kRows / towers, kRows);
            add(what + ", loss", std::abs(many.loss - one.loss) / one.loss, tolerance);
            add(what + ", averaged gradient", relativeError(many.gradient, one.gradient),
                tolerance);
        }
        if (dynamic_cast<const Accelerator*>(&m_device) != nullptr) {
            testCapture(name, network);
        }
    }

    /// Steps that are replayed have to give the bits of steps that are enqueued one by one.
    void testCapture(const std::string& name, const NetworkSpec& network)
    {
        constexpr std::int64_t kSteps = 5;
        constexpr int kTowers = 2;
        constexpr std::int64_t kRows = 32;
        const TowerStep eager = stepOf(network, kTowers, kRows, kSteps, false);
        const TowerStep captured = stepOf(network, kTowers, kRows, kSteps, true);
        add(name + ", captured against eager, loss after 5 steps",
            std::abs(captured.loss - eager.loss), 0.0);
        add(name + ", captured against eager, averaged gradient after 5 steps",
            relativeError(captured.gradient, eager.gradient), 0.0);
    }

    void testOptimizer(UpdateKind kind)
    {
        // The update is float32 whatever the precision. Of weights that move by a thousandth in
        // these steps the rounding of the weights is 6e-5.
        constexpr double kTolerance = 1e-4;
        constexpr std::int64_t kRows = 8;
        const double rate = kind == UpdateKind::Adam ? 0.001 : 0.1;
        const OptimizerSettings optimizer = selftestOptimizer(kind);
        const NetworkSpec network = cifar10Network();
        const auto examples = openSynthetic(Split::Train, kSeed, kExamples);
        StepperSettings settings = settingsFor(network, *examples, 1, kRows);
        settings.optimizer = optimizer;
        settings.schedule = [&](std::int64_t step) {
            return UpdateSettings{rateOf(optimizer, rate, step), 0.9};
        };
        const auto stepper = startedStepper(settings);
        for (const auto& [what, error] :
             optimizerErrors(m_device, network, *stepper, optimizer, rate)) {
            add(fmt::format("update by {}, {}", toString(kind), what), error, kTolerance);
        }
    }

    [[nodiscard]] StepperSettings settingsFor(
        const NetworkSpec& network, const Dataset& examples, int towers, std::int64_t rows) const
    {
        StepperSettings settings;
        settings.devices = {&m_device};
        settings.network = &network;
        settings.dataset = &examples;
        settings.shape = {towers, 1, rows / towers};
        settings.precision = m_precision;
        settings.input.globalBatch = rows;
        settings.input.distortion.cropHeight = network.inputShape().height;
        settings.input.distortion.cropWidth = network.inputShape().width;
        settings.schedule = [](std::int64_t) { return UpdateSettings{0.01, 0.9}; };
        return settings;
    }

    [[nodiscard]] static std::unique_ptr<Stepper> startedStepper(const StepperSettings& settings)
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
        std::vector<float> gradient;
    };

    [[nodiscard]] TowerStep stepOf(
        const NetworkSpec& network, int towers, std::int64_t rows, std::int64_t steps = 1,
        bool isCaptured = true) const
    {
        const auto examples = openSynthetic(Split::Train, kSeed, kExamples);
        StepperSettings settings = settingsFor(network, *examples, towers, rows);
        settings.isCaptured = isCaptured;
        const auto stepper = startedStepper(settings);
        TowerStep result;
        for (std::int64_t step = 0; step < steps; ++step) {
            const StepOutcome outcome = stepper->next(steps);
            result.loss = 0.0;
            for (const TowerResult& tower : outcome.towers) {
                result.loss += tower.lossSum / static_cast<double>(rows);
            }
        }
        result.gradient.resize(static_cast<std::size_t>(stepper->arena().layout().elements));
        m_device.copyOut(
            result.gradient.data(), reinterpret_cast<const std::byte*>(stepper->averagedGradient()),
            result.gradient.size() * sizeof(float));
        return result;
    }

    const Device& m_device;
    const std::function<void(const SelftestLine&)>& m_report;
    Precision m_precision = Precision::Float32;
    std::vector<SelftestLine> m_lines;
};

} // namespace

std::vector<SelftestLine> runSelftest(
    const Device& device, const std::function<void(const SelftestLine&)>& report)
{
    return Selftest(device, report).run();
}

} // namespace lockstep
