// SPDX-License-Identifier: Apache-2.0
#include "session/selftest.h"

#include "averaging/ordered_all_reduce.h"
#include "network/models/catalog.h"
#include "session/selftest_cases.h"
#include "session/selftest_trial.h"
#include "tower/tower_team.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 20160701;

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
            testNetwork();
            testTowers();
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
        }
    }

    void testOp(const OpCase& one)
    {
        constexpr std::int64_t kRows = 5;
        const double tolerance = toleranceOf(m_precision);
        const Trial trial(m_device, networkAround(one), kRows, m_precision, kSeed);
        add(one.name + ", forward", trial.outputError("layer"), tolerance);
        for (const int parameter : trial.network().layers[2].parameters) {
            const bool isBias =
                trial.network().parameters[static_cast<std::size_t>(parameter)].shape.size() == 1;
            add(one.name + (isBias ? ", gradient of bias" : ", gradient of weights"),
                trial.gradientError(parameter), tolerance);
        }
        add(one.name + ", gradient of src", trial.gradientError(0), tolerance);
        add(one.name + ", loss", trial.lossError(), tolerance);
    }

    void testNetwork()
    {
        constexpr std::int64_t kRows = 4;
        // A max pool or ReLU that decides otherwise for a value next to its threshold moves a whole
        // gradient, and every layer adds to the rounding.
        const double tolerance = 5.0 * toleranceOf(m_precision);
        Trial trial(m_device, cifar10Network(), kRows, m_precision, kSeed);
        add("cifar10, logits", trial.outputError("logits"), tolerance);
        add("cifar10, loss", trial.lossError(), tolerance);
        for (std::size_t i = 0; i < trial.network().parameters.size(); ++i) {
            add("cifar10, gradient of " + trial.network().parameters[i].name,
                trial.gradientError(static_cast<int>(i)), tolerance);
        }
        add("cifar10, derivative of the loss along the gradient", trial.directionalError(),
            20.0 * tolerance);
    }

    void testTowers()
    {
        constexpr std::int64_t kRows = 32;
        const double tolerance = toleranceOf(m_precision);
        const NetworkSpec network = cifar10Network();
        const TrialRows rows(network, kRows, PhiloxStream(kSeed, RandomPurpose::Synthetic, 0, 2));
        const TowerStep one = stepOf(network, rows, 1);
        for (const int towers : {2, 4}) {
            const TowerStep many = stepOf(network, rows, towers);
            add(fmt::format("{} towers x {} against 1 x {}, loss", towers, kRows / towers, kRows),
                std::abs(many.loss - one.loss) / one.loss, tolerance);
            add(fmt::format(
                    "{} towers x {} against 1 x {}, averaged gradient", towers, kRows / towers,
                    kRows),
                relativeError(many.gradient, one.gradient), tolerance);
        }
    }

    /// Loss and averaged gradient of one step, before the update.
    struct TowerStep
    {
        double loss = 0.0;
        std::vector<float> gradient;
    };

    [[nodiscard]] TowerStep stepOf(
        const NetworkSpec& network, const TrialRows& rows, int towers) const
    {
        const auto examples = static_cast<std::int64_t>(rows.labels.size());
        const ParameterArena arena(m_device, network);
        arena.initialize(network, kSeed);
        TowerTeam team(
            m_device, network, arena.layout(), {towers, 1, examples / towers}, m_precision);
        TowerContribution contribution{examples / towers, {}};
        for (const ParameterSpec& parameter : network.parameters) {
            contribution.gradients.push_back({GradientForm::Dense, parameter.shape});
        }
        const std::vector<TowerContribution> all(static_cast<std::size_t>(towers), contribution);
        OrderedAllReduce allReduce(
            m_device, arena.layout(), planAveraging(network, all, MissingGradient::Error),
            team.gradients());
        Batch batch;
        batch.examples = examples;
        batch.shape = network.inputShape();
        batch.images = rows.images;
        batch.labels = rows.labels;
        TowerStep step;
        for (const TowerResult& tower : team.forwardBackward(batch, arena.weights())) {
            step.loss += tower.lossSum / static_cast<double>(examples);
        }
        allReduce.run(team.threads(), arena.gradient());
        step.gradient.assign(arena.gradient(), arena.gradient() + arena.layout().elements);
        return step;
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
