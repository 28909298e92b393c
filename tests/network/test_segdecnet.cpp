// SPDX-License-Identifier: Apache-2.0
// SegDecNet against its published figures: 15.7 M parameters, 250 G multiply-adds, and the table of
// its layers; both variants, and the sizes and settings that are refused.
#include "network/cost.h"
#include "network/layer_named.h"
#include "network/models/model_settings.h"
#include "network/models/segdecnet.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <array>
#include <cmath>

using namespace lockstep;
using test::layerNamed;

namespace {

ModelSettings settingsOf(const std::string& variant)
{
    ModelSettings settings;
    settings.name = "segdecnet";
    settings.variant = variant;
    return settings;
}

double gigaMultiplyAdds(const LayerCost& cost)
{
    return static_cast<double>(cost.fpropFlop) / 2e9;
}

} // namespace

class TestSegdecnet : public QObject
{
    Q_OBJECT

private slots:
    void Parameters_ofBothVariants_areAsPublished()
    {
        QCOMPARE(makeNetwork(settingsOf("")).parameterElements(), 15662877);
        QCOMPARE(makeNetwork(settingsOf("authors")).parameterElements(), 15662877);
        QCOMPARE(makeNetwork(settingsOf("third_party")).parameterElements(), 15661351);
    }

    void Groups_shareTheParameters_asPublished()
    {
        const std::array<std::pair<const char*, std::array<std::int64_t, 2>>, 2> cases{
            {{"authors", {15441698, 221179}}, {"third_party", {15440161, 221190}}}};
        for (const auto& [variant, expected] : cases) {
            const NetworkSpec network = makeNetwork(settingsOf(variant));
            QVERIFY((network.groups() == std::vector<std::string>{"segmentation", "decision"}));
            std::array<std::int64_t, 2> sums{};
            for (const ParameterSpec& parameter : network.parameters) {
                const bool isDecision = parameter.group == "decision";
                sums.at(isDecision ? 1 : 0) += parameter.isStatistic() ? 0 : parameter.elements();
            }
            QVERIFY(sums == expected);
        }
    }

    void Layers_atFullSize_haveThePublishedShapes()
    {
        const NetworkSpec network = makeNetwork(settingsOf("authors"));
        const std::vector<std::pair<const char*, Shape>> expected{
            {"input", {1408, 512, 1}},
            {"conv1_1", {1408, 512, 32}},
            {"conv1_2_norm", {1408, 512, 32}},
            {"pool1", {704, 256, 32}},
            {"conv2_3_norm", {704, 256, 64}},
            {"pool2", {352, 128, 64}},
            {"conv3_4_norm", {352, 128, 64}},
            {"pool3", {176, 64, 64}},
            {"conv4_norm", {176, 64, 1024}},
            {"conv5_norm", {176, 64, 1}},
            {"mask_probabilities", {176, 64, 1}},
            {"decision_input", {176, 64, 1025}},
            {"decision_conv1", {88, 32, 8}},
            {"decision_conv2", {44, 16, 16}},
            {"decision_conv3_norm", {22, 8, 32}},
            {"decision_summary", {1, 1, 66}},
            {"decision_logits", {1, 1, 1}}};
        for (const auto& [name, shape] : expected) {
            QCOMPARE(toString(layerNamed(network, name).shape), toString(shape));
        }
        QCOMPARE(toString(*network.maskShape), std::string("176x64x1"));
        QCOMPARE(network.classes, std::int64_t{2});
        const NetworkSpec third = makeNetwork(settingsOf("third_party"));
        QCOMPARE(layerNamed(third, "decision_logits").shape.channels, std::int64_t{2});
    }

    void MultiplyAdds_atFullSize_areTheHandCounts()
    {
        const NetworkSpec network = makeNetwork(settingsOf("authors"));
        const auto costs = layerCosts(network);
        const auto costOf = [&](const char* name) {
            return gigaMultiplyAdds(costs.at(
                static_cast<std::size_t>(&layerNamed(network, name) - network.layers.data())));
        };
        QCOMPARE(costOf("conv4"), 176.0 * 64 * 1024 * 15 * 15 * 64 / 1e9);
        QCOMPARE(std::round(costOf("conv4")), 166.0);
        QCOMPARE(costOf("conv4_norm"), 0.0);
        QCOMPARE(std::round(gigaMultiplyAdds(totalCost(network))), 250.0);
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const bool isConv = std::holds_alternative<Conv2d>(network.layers[i].spec);
            bytes += isConv ? costs[i].activationBytes : 0;
        }
        QCOMPARE(std::round(static_cast<double>(bytes) / 1e6), 415.0);
    }

    void Variants_differ_asTheirProgramsDo()
    {
        const NetworkSpec authors = makeNetwork(settingsOf("authors"));
        const NetworkSpec third = makeNetwork(settingsOf("third_party"));
        QCOMPARE(toString(third.inputShape()), std::string("1280x512x1"));
        for (const Layer& layer : authors.layers) {
            if (const auto* norm = std::get_if<Normalization>(&layer.spec)) {
                const auto& other = std::get<Normalization>(layerNamed(third, layer.name).spec);
                QVERIFY(norm->hasScale && !other.hasScale);
                QCOMPARE(norm->decay, 0.9997);
                QCOMPARE(other.decay, 0.999);
                QCOMPARE(norm->epsilon, 0.001);
                QVERIFY(norm->mode == NormalizationMode::PerImage);
                // The mask's logits may be negative; everything else is rectified.
                QVERIFY((norm->activation == Activation::None) == (layer.name == "conv5_norm"));
            }
        }
        QCOMPARE(std::get<Normal>(authors.parameters.at(0).initializer).stddev, 0.01);
        // 5 x 5 windows over 1 channel, to 32.
        const auto xavier = std::get<XavierUniform>(third.parameters.at(0).initializer);
        QCOMPARE(xavier.fanIn, std::int64_t{25});
        QCOMPARE(xavier.fanOut, std::int64_t{800});
        const auto maskOf = [](const NetworkSpec& network) {
            return std::get<Elementwise>(layerNamed(network, "decision_mask").spec).activation;
        };
        QVERIFY(maskOf(authors) == Activation::Relu);
        QVERIFY(maskOf(third) == Activation::Sigmoid);
        QVERIFY(std::holds_alternative<SigmoidCrossEntropy>(authors.objectives.at(1).loss));
        QVERIFY(std::holds_alternative<SoftmaxCrossEntropy>(third.objectives.at(1).loss));
    }

    void Settings_overwriteTheVariants()
    {
        ModelSettings settings = settingsOf("third_party");
        settings.inputHeight = 192;
        settings.inputWidth = 128;
        settings.normalization = "synchronised";
        settings.scale = "on";
        settings.momentDecay = 0.5;
        settings.initializer = "normal";
        settings.maskActivation = "relu";
        settings.decisionOutputs = 1;
        const NetworkSpec network = makeNetwork(settings);
        QCOMPARE(toString(network.inputShape()), std::string("192x128x1"));
        QCOMPARE(toString(*network.maskShape), std::string("24x16x1"));
        const auto norm = std::get<Normalization>(layerNamed(network, "conv4_norm").spec);
        QVERIFY(norm.mode == NormalizationMode::Synchronised && norm.hasScale);
        QCOMPARE(norm.decay, 0.5);
        QCOMPARE(network.parameterElements(), 15662877);
        QVERIFY(std::holds_alternative<Normal>(network.parameters.at(0).initializer));
    }

    void Phases_trainTheirStageOnly()
    {
        const NetworkSpec network = makeNetwork(settingsOf("authors"));
        const auto layersOf = [&](const char* objective) {
            const NetworkSpec phase = network.withObjectives({objective}, {});
            return totalCost(phase);
        };
        // The segmentation's backward pass costs twice its forward pass, except for the first
        // layer, whose images need no gradient; the decision's leaves the segmentation alone.
        const double segmentation = 249.73;
        const double decision = 0.58;
        const LayerCost first = layersOf("segmentation");
        QVERIFY(std::abs(static_cast<double>(first.wgradFlop) / 2e9 - segmentation) < 0.01);
        QVERIFY(
            std::abs(static_cast<double>(first.dgradFlop) / 2e9 - (segmentation - 0.58)) < 0.01);
        const LayerCost second = layersOf("decision");
        QVERIFY(std::abs(static_cast<double>(second.wgradFlop) / 2e9 - decision) < 0.01);
        QVERIFY(static_cast<double>(second.dgradFlop) / 2e9 < decision);
    }

    void Score_isTheProbabilityOfADefect()
    {
        const std::array<float, 1> one{std::log(3.0F)};
        const std::array<float, 2> two{1.0F, 1.0F + std::log(3.0F)};
        QVERIFY(std::abs(decisionScore(one) - 0.75) < 1e-6);
        QVERIFY(std::abs(decisionScore(two) - 0.75) < 1e-6);
    }

    void BadSettings_areRefused_withTheirKey_data()
    {
        QTest::addColumn<ModelSettings>("settings");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, auto change, const QStringList& named) {
            ModelSettings settings = settingsOf("");
            change(settings);
            QTest::newRow(name) << settings << named;
        };
        using S = ModelSettings;
        row("variant", [](S& s) { s.variant = "mine"; }, {"model.variant", "third_party"});
        row("height", [](S& s) { s.inputHeight = 1250; }, {"input_height", "1216 or 1280"});
        row("width", [](S& s) { s.inputWidth = 500; }, {"input_width", "448 or 512"});
        row("too small", [](S& s) { s.inputHeight = 8; }, {"input_height is 8", "; 64 fits"});
        row("negative", [](S& s) { s.inputWidth = -64; }, {"input_width is -64", "; 64 fits"});
        row("one cell is left", [](S& s) { s.inputHeight = s.inputWidth = 64; },
            {"64x64", "one cell"});
        row("normalization", [](S& s) { s.normalization = "group"; },
            {"model.normalization", "per_image, batch, synchronised, moving"});
        row("scale", [](S& s) { s.scale = "yes"; }, {"model.scale", "on, off"});
        row("decay", [](S& s) { s.momentDecay = 1.0; }, {"decay is 1"});
        row("initializer", [](S& s) { s.initializer = "he"; }, {"model.initializer", "xavier"});
        row("mask", [](S& s) { s.maskActivation = "none"; }, {"model.mask_activation", "relu"});
        row("outputs", [](S& s) { s.decisionOutputs = 3; }, {"model.decision_outputs is 3"});
        row("another network's",
            [](S& s) {
                s.name = "cifar10";
                s.variant = "authors";
            },
            {"model.variant", "'cifar10'"});
        row("unknown network", [](S& s) { s.name = "segdec"; }, {"'segdec'", "segdecnet"});
    }

    void BadSettings_areRefused_withTheirKey()
    {
        QFETCH(ModelSettings, settings);
        QFETCH(QStringList, named);
        const QString what = test::failureOf([&] { makeNetwork(settings); });
        for (const QString& word : named) {
            QVERIFY2(what.contains(word), qPrintable(what));
        }
    }

    void SmallestSizes_areAccepted()
    {
        ModelSettings settings = settingsOf("");
        settings.inputHeight = 128;
        settings.inputWidth = 64;
        QCOMPARE(toString(makeNetwork(settings).inputShape()), std::string("128x64x1"));
        settings.inputHeight = 64;
        settings.normalization = "batch";
        QCOMPARE(toString(makeNetwork(settings).inputShape()), std::string("64x64x1"));
    }
};

LOCKSTEP_TEST(TestSegdecnet)
#include "test_segdecnet.moc"
