// SPDX-License-Identifier: Apache-2.0
// Which objectives, parameters and statistics a phase of a training moves: two stages that share a
// trunk, as in SegDecNet.
#include "network/network_spec.h"
#include "network/primary_objective.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "support/text_rows.h"

using namespace lockstep;
using test::fullyConnected;

namespace {

Conv2d grouped(const std::string& group)
{
    Conv2d conv = test::convolution(1, {1, 1});
    conv.hasBias = false;
    conv.parameters.group = group;
    return conv;
}

/// input - conv - norm (first objective's mask) - dense (second objective's); groups "a" and "b".
/// Parameters: conv.weight, norm.weight, .bias, .moving_mean, .moving_variance, dense.weight,
/// .bias.
NetworkSpec twoStages(NormalizationMode mode = NormalizationMode::Batch)
{
    NetworkBuilder builder("stages", {4, 4, 1}, 2);
    builder.mask(4, 4);
    const LayerId conv = builder.add("conv", grouped("a"), {0});
    Normalization normalization;
    normalization.mode = mode;
    normalization.parameters.group = "a";
    const LayerId mask = builder.add("norm", normalization, {conv});
    Dense dense = fullyConnected(1);
    dense.parameters.group = "b";
    const LayerId score = builder.add("dense", dense, {mask});
    using Target = SigmoidCrossEntropy::Target;
    builder.objective({"first", 0.5, SigmoidCrossEntropy{mask, Target::Mask}, {"a"}});
    builder.objective({"second", 2.0, SigmoidCrossEntropy{score, Target::MaskSum}, {"b"}});
    return builder.build();
}

std::string flags(const std::vector<bool>& values)
{
    std::string text;
    for (const bool value : values) {
        text += value ? '1' : '0';
    }
    return text;
}

} // namespace

class TestNetworkPhase : public QObject
{
    Q_OBJECT

private slots:
    void Judge_inEveryPhase_isTheAnswerForTheImage()
    {
        const NetworkSpec network = twoStages();
        QCOMPARE(primaryObjective(network), std::size_t{1});
        for (const char* objective : {"first", "second"}) {
            QCOMPARE(primaryObjective(network.withObjectives({objective}, {})), std::size_t{1});
        }
        NetworkSpec masksOnly = network;
        masksOnly.objectives.pop_back();
        QCOMPARE(primaryObjective(masksOnly), std::size_t{0});
    }

    void Judge_isNone_thatIsOnlyReported()
    {
        const auto headsOf = [](double early, double late) {
            NetworkBuilder builder("heads", {4, 4, 1}, 2);
            const LayerId first = builder.add("first", fullyConnected(2), {0});
            const LayerId second = builder.add("second", fullyConnected(2), {0});
            builder.objective({"early", early, SoftmaxCrossEntropy{first}, {}});
            builder.objective({"late", late, SoftmaxCrossEntropy{second}, {}});
            return builder.build();
        };
        QCOMPARE(primaryObjective(headsOf(0.5, 1.0)), std::size_t{0});
        const NetworkSpec network = headsOf(0.0, 1.0);
        QCOMPARE(primaryObjective(network), std::size_t{1});
        QCOMPARE(primaryObjective(network.withObjectives({"early", "late"}, {})), std::size_t{1});
    }

    void Phase_movesItsGroups_andTheirStatistics_data()
    {
        // The second stage does not train the first, whose moments stay, too.
        test::addTextRows(
            {"objective", "frozen", "trained", "updated", "withGradient"},
            {{"first", "first", "", "1110000", "1111100", "0110"},
             {"second", "second", "", "0000011", "0000011", "0001"},
             {"second, frozen again", "second", "a", "0000011", "0000011", "0001"},
             {"both", "first+second", "", "1110011", "1111111", "0111"},
             {"joint", "joint", "", "1110011", "1111111", "0111"},
             {"joint, frozen", "joint", "b", "1110000", "1111100", "0111"}});
    }

    void Phase_movesItsGroups_andTheirStatistics()
    {
        QFETCH(QString, objective);
        QFETCH(QString, frozen);
        QFETCH(QString, trained);
        QFETCH(QString, updated);
        QFETCH(QString, withGradient);
        std::vector<std::string> groups;
        if (!frozen.isEmpty()) {
            groups.push_back(frozen.toStdString());
        }
        const NetworkSpec network = twoStages();
        const NetworkSpec phase =
            network.withObjectives(objectivesNamed(network, objective.toStdString()), groups);
        QCOMPARE(flags(phase.trainedParameters()), trained.toStdString());
        QCOMPARE(flags(phase.updatedParameters()), updated.toStdString());
        QCOMPARE(flags(phase.layersWithGradient()), withGradient.toStdString());
        checkTrainedTogether(phase);
    }

    void Phase_keepsAllObjectives_othersWithoutWeight()
    {
        const NetworkSpec phase = twoStages().withObjectives({"second"}, {});
        QCOMPARE(phase.objectives.size(), std::size_t{2});
        QVERIFY(!phase.objectives.at(0).isActive());
        QCOMPARE(phase.objectives.at(0).name, std::string("first"));
        QCOMPARE(phase.objectives.at(1).weight, 2.0);
        QCOMPARE(phase.layers.size(), twoStages().layers.size());
    }

    void MovingMoments_areConstants()
    {
        const NetworkSpec phase =
            twoStages(NormalizationMode::Moving).withObjectives({"first"}, {});
        QCOMPARE(flags(phase.updatedParameters()), std::string("1110000"));
    }

    void Statistics_areNoParametersOfTheModel()
    {
        const NetworkSpec network = twoStages();
        QCOMPARE(network.parameterElements(), std::int64_t{1 + 1 + 1 + 16 + 1});
        const Layer& norm = network.layers.at(2);
        const auto mean = network.parameterOf(norm, ParameterRole::MovingMean);
        const auto variance = network.parameterOf(norm, ParameterRole::MovingVariance);
        QCOMPARE(*mean, 3);
        QCOMPARE(*variance, 4);
        QVERIFY(!network.parameterOf(network.layers.at(1), ParameterRole::Bias));
        QCOMPARE(network.parameters.at(3).name, std::string("norm.moving_mean"));
        QCOMPARE(std::get<Constant>(network.parameters.at(3).initializer).value, 0.0);
        QCOMPARE(std::get<Constant>(network.parameters.at(4).initializer).value, 1.0);
        QCOMPARE(network.parameters.at(4).decay, 0.9997);
        QVERIFY(network.parameters.at(4).isStatistic() && !network.parameters.at(2).isStatistic());
    }

    void Objectives_ofOtherGroups_areNotTrainedTogether()
    {
        const NetworkSpec network = twoStages();
        const QString what = test::failureOf([&] { checkTrainedTogether(network); });
        for (const char* word : {"'first'", "groups a", "'second'", "same groups"}) {
            QVERIFY2(what.contains(word), qPrintable(what));
        }
    }

    void UnknownNames_areRefused_withTheKnownOnes()
    {
        const NetworkSpec network = twoStages();
        const auto failure = [&](const std::string& objective, const std::string& group) {
            return test::failureOf([&] {
                (void)network.withObjectives(objectivesNamed(network, objective), {group});
            });
        };
        QVERIFY(failure("third", "a").contains("no objective 'third'; it has: first, second"));
        QVERIFY(failure("first+", "a").contains("no objective ''"));
        QVERIFY(failure("second", "c").contains("no parameter group 'c'; it has: a, b"));
        QVERIFY(failure("first", "a").contains("train nothing"));
    }
};

LOCKSTEP_TEST(TestNetworkPhase)
#include "test_network_phase.moc"
