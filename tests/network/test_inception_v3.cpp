// SPDX-License-Identifier: Apache-2.0
// Inception v3 against what is published of it: 27.1 M parameters, 5.7 G multiply-adds, and the
// table of its layers; its settings, and the sizes that are refused.
#include "network/cost.h"
#include "network/layer_named.h"
#include "network/models/inception_v3.h"
#include "network/models/model_settings.h"
#include "network/primary_objective.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace lockstep;
using test::layerNamed;

namespace {

ModelSettings inception()
{
    ModelSettings settings;
    settings.name = "inception_v3";
    return settings;
}

ModelSettings ofSize(std::int64_t height, std::int64_t width)
{
    ModelSettings settings = inception();
    settings.inputHeight = height;
    settings.inputWidth = width;
    return settings;
}

const Objective& objectiveNamed(const NetworkSpec& network, const std::string& name)
{
    return *std::ranges::find(network.objectives, name, &Objective::name);
}

/// Of the convolutions and fully connected layers that a person would count for the main logits.
double gigaMultiplyAddsOfMain(const NetworkSpec& network)
{
    const auto costs = layerCosts(network);
    double sum = 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const bool isAuxiliary = network.layers[i].name.starts_with("aux_logits");
        sum += isAuxiliary ? 0.0 : static_cast<double>(costs[i].fpropFlop) / 2e9;
    }
    return sum;
}

double stddevOf(const NetworkSpec& network, const std::string& parameter)
{
    const auto found = std::ranges::find(network.parameters, parameter, &ParameterSpec::name);
    return found == network.parameters.end() ? 0.0
                                             : std::get<TruncatedNormal>(found->initializer).stddev;
}

} // namespace

class TestInceptionV3 : public QObject
{
    Q_OBJECT

private slots:
    void Parameters_areAsPublished()
    {
        const NetworkSpec network = makeNetwork(inception());
        QCOMPARE(network.parameterElements(), 27'145'970);
        QCOMPARE(network.parameterElementsBelow(objectiveNamed(network, "main")), 23'819'401);
        std::int64_t statistics = 0;
        std::array<int, 4> tensors{};
        for (const ParameterSpec& parameter : network.parameters) {
            statistics += parameter.isStatistic() ? parameter.elements() : 0;
            ++tensors.at(static_cast<std::size_t>(parameter.role));
        }
        QCOMPARE(statistics, 36'224);
        // 96 convolutions without bias, 96 normalisations without gamma, 2 fully connected layers.
        QVERIFY((tensors == std::array<int, 4>{98, 98, 96, 96}));
        // Of 1000 classes without background, and no auxiliary head: the usual Inception v3.
        ModelSettings plain = inception();
        plain.hasBackground = false;
        const NetworkSpec usual = makeNetwork(plain);
        const std::int64_t main = usual.parameterElementsBelow(objectiveNamed(usual, "main"));
        std::int64_t moments = 0;
        for (const ParameterSpec& parameter : usual.parameters) {
            const bool isAuxiliary = parameter.name.starts_with("aux_logits");
            moments += parameter.isStatistic() && !isAuxiliary ? parameter.elements() : 0;
        }
        QCOMPARE(main + moments, 23'851'784);
    }

    void Layers_at299_haveThePublishedShapes()
    {
        const NetworkSpec network = makeNetwork(inception());
        const std::vector<std::pair<const char*, Shape>> expected{
            {"input", {299, 299, 3}},
            {"conv0", {149, 149, 32}},
            {"conv1_norm", {147, 147, 32}},
            {"conv2", {147, 147, 64}},
            {"pool1", {73, 73, 64}},
            {"conv3", {73, 73, 80}},
            {"conv4", {71, 71, 192}},
            {"pool2", {35, 35, 192}},
            {"mixed_35x35x256a", {35, 35, 256}},
            {"mixed_35x35x288a", {35, 35, 288}},
            {"mixed_35x35x288b", {35, 35, 288}},
            {"mixed_17x17x768a", {17, 17, 768}},
            {"mixed_17x17x768b", {17, 17, 768}},
            {"mixed_17x17x768c", {17, 17, 768}},
            {"mixed_17x17x768d", {17, 17, 768}},
            {"mixed_17x17x768e", {17, 17, 768}},
            {"mixed_17x17x1280a", {8, 8, 1280}},
            {"mixed_8x8x2048a", {8, 8, 2048}},
            {"mixed_8x8x2048b", {8, 8, 2048}},
            {"logits/pool", {1, 1, 2048}},
            {"logits/dropout", {1, 1, 2048}},
            {"logits", {1, 1, 1001}},
            {"aux_logits/pool", {5, 5, 768}},
            {"aux_logits/proj", {5, 5, 128}},
            {"aux_logits/conv", {1, 1, 768}},
            {"aux_logits", {1, 1, 1001}}};
        for (const auto& [name, shape] : expected) {
            QCOMPARE(toString(layerNamed(network, name).shape), toString(shape));
        }
    }

    void Branches_haveThePublishedChannels_data()
    {
        QTest::addColumn<QString>("block");
        QTest::addColumn<QList<int>>("channels");
        using Row = std::pair<const char*, QList<int>>;
        for (const auto& [block, channels] :
             {Row{"mixed_35x35x256a", {64, 64, 96, 32}}, Row{"mixed_35x35x288b", {64, 64, 96, 64}},
              Row{"mixed_17x17x768a", {384, 96, 288}},
              Row{"mixed_17x17x768b", {192, 192, 192, 192}},
              Row{"mixed_17x17x1280a", {320, 192, 768}},
              Row{"mixed_8x8x2048a", {320, 384, 384, 384, 384, 192}}}) {
            QTest::newRow(block) << QString(block) << channels;
        }
    }

    void Branches_haveThePublishedChannels()
    {
        QFETCH(QString, block);
        QFETCH(QList<int>, channels);
        const NetworkSpec network = makeNetwork(inception());
        QList<int> found;
        for (const LayerId input : layerNamed(network, block.toStdString()).inputs) {
            const Layer& layer = network.layers.at(static_cast<std::size_t>(input));
            found.append(static_cast<int>(layer.shape.channels));
        }
        QCOMPARE(found, channels);
    }

    void Filters_betweenLongOnes_growWithTheDepth()
    {
        const NetworkSpec network = makeNetwork(inception());
        const std::array<std::pair<char, std::int64_t>, 4> inner{
            {{'b', 128}, {'c', 160}, {'d', 160}, {'e', 192}}};
        for (const auto& [letter, channels] : inner) {
            const std::string block = std::string("mixed_17x17x768") + letter;
            const auto conv = [&](const char* name) {
                return std::get<Conv2d>(layerNamed(network, block + "/" + name).spec);
            };
            QCOMPARE(conv("branch7x7/conv1").channels, channels);
            QVERIFY((conv("branch7x7/conv2").kernel == Extent{1, 7}));
            QVERIFY((conv("branch7x7/conv3").kernel == Extent{7, 1}));
            QVERIFY((conv("branch7x7dbl/conv2").kernel == Extent{7, 1}));
            QCOMPARE(conv("branch7x7dbl/conv4").channels, channels);
            QVERIFY((conv("branch7x7dbl/conv5").kernel == Extent{1, 7}));
        }
    }

    void MultiplyAdds_at299_areAsPublished()
    {
        const double found = gigaMultiplyAddsOfMain(makeNetwork(inception()));
        QVERIFY2(std::abs(found - 5.71) < 0.01, qPrintable(QString::number(found)));
    }

    void Parameters_beginAndDecay_asInTheTrainer()
    {
        const NetworkSpec network = makeNetwork(inception());
        QCOMPARE(stddevOf(network, "conv0.weight"), 0.1);
        QCOMPARE(stddevOf(network, "aux_logits/proj.weight"), 0.1);
        QCOMPARE(stddevOf(network, "aux_logits/conv.weight"), 0.01);
        QCOMPARE(stddevOf(network, "aux_logits.weight"), 0.001);
        QCOMPARE(stddevOf(network, "logits.weight"), 0.01);
        for (const ParameterSpec& parameter : network.parameters) {
            const bool isWeight = parameter.role == ParameterRole::Weights;
            QCOMPARE(parameter.weightDecay, isWeight ? 4e-5 : 0.0);
            QCOMPARE(parameter.decay, parameter.isStatistic() ? 0.9997 : 0.0);
            const bool isOfHead = parameter.name.find("logits") != std::string::npos;
            QCOMPARE(parameter.group, std::string(isOfHead ? "heads" : "features"));
        }
    }

    void Objectives_areMainAndAuxiliary_andMainJudges()
    {
        const NetworkSpec network = makeNetwork(inception());
        QCOMPARE(network.classes, 1001);
        QCOMPARE(network.objectives.size(), std::size_t{2});
        QCOMPARE(network.objectives.at(primaryObjective(network)).name, std::string("main"));
        QCOMPARE(objectiveNamed(network, "main").weight, 1.0);
        QCOMPARE(objectiveNamed(network, "auxiliary").weight, 0.4);
        for (const Objective& objective : network.objectives) {
            QCOMPARE(std::get<SoftmaxCrossEntropy>(objective.loss).labelSmoothing, 0.1);
        }
        QCOMPARE(network.outputs.at(0).name, std::string("logits"));
        QCOMPARE(network.outputs.at(1).name, std::string("aux_logits"));
        checkTrainedTogether(network);
    }

    void Settings_areTaken()
    {
        ModelSettings settings = ofSize(107, 139);
        settings.classes = 5;
        settings.hasBackground = false;
        settings.normalization = "moving";
        settings.momentDecay = 0.5;
        settings.epsilon = 0.01;
        settings.dropoutKeep = 1.0;
        settings.labelSmoothing = 0.0;
        settings.auxiliaryWeight = 0.0;
        settings.weightDecay = 0.0;
        const NetworkSpec network = makeNetwork(settings);
        QVERIFY(!hasBackgroundClass(settings) && hasBackgroundClass(inception()));
        QCOMPARE(toString(network.inputShape()), std::string("107x139x3"));
        QCOMPARE(network.classes, 5);
        const auto& norm = std::get<Normalization>(layerNamed(network, "conv0_norm").spec);
        QVERIFY(norm.mode == NormalizationMode::Moving);
        QCOMPARE(norm.decay, 0.5);
        QCOMPARE(norm.epsilon, 0.01);
        QCOMPARE(std::get<Dropout>(layerNamed(network, "logits/dropout").spec).keep, 1.0);
        QVERIFY(!objectiveNamed(network, "auxiliary").isActive());
        QCOMPARE(
            std::get<SoftmaxCrossEntropy>(objectiveNamed(network, "main").loss).labelSmoothing,
            0.0);
        QVERIFY(std::ranges::all_of(network.parameters, [](const auto& parameter) {
            return parameter.weightDecay == 0.0;
        }));
    }

    void Heads_fitAnySize_data()
    {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("last"); ///< before the main head
        QTest::addColumn<QString>("auxiliary");
        QTest::newRow("the smallest") << 75 << 75 << "1x1x2048"
                                      << "1x1x128";
        QTest::newRow("long") << 75 << 299 << "1x8x2048"
                              << "1x5x128";
        QTest::newRow("139") << 139 << 139 << "3x3x2048"
                             << "1x1x128";
        QTest::newRow("331") << 331 << 331 << "9x9x2048"
                             << "5x5x128";
        QTest::newRow("395") << 395 << 395 << "11x11x2048"
                             << "7x7x128";
    }

    void Heads_fitAnySize()
    {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(QString, last);
        QFETCH(QString, auxiliary);
        const NetworkSpec network = makeNetwork(ofSize(height, width));
        const auto shapeOf = [&](const char* name) {
            return QString::fromStdString(toString(layerNamed(network, name).shape));
        };
        QCOMPARE(shapeOf("mixed_8x8x2048b"), last);
        QCOMPARE(shapeOf("logits/pool"), QStringLiteral("1x1x2048"));
        QCOMPARE(shapeOf("aux_logits/proj"), auxiliary);
        QCOMPARE(shapeOf("aux_logits/conv"), QStringLiteral("1x1x768"));
    }

    void BadSettings_areRefused_withTheirKey_data()
    {
        QTest::addColumn<ModelSettings>("settings");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, auto change, const QStringList& named) {
            ModelSettings settings = inception();
            change(settings);
            QTest::newRow(name) << settings << named;
        };
        using S = ModelSettings;
        row("height", [](S& s) { s.inputHeight = 74; }, {"model.input_height is 74", "least 75"});
        row("width", [](S& s) { s.inputWidth = -299; }, {"model.input_width is -299", "least 75"});
        row("classes", [](S& s) { s.classes = -1; }, {"model.classes is -1", "at least 1"});
        row("per image", [](S& s) { s.normalization = "per_image"; },
            {"model.normalization is per_image", "batch, synchronised or moving"});
        row("decay", [](S& s) { s.momentDecay = 1.0; }, {"decay is 1"});
        row("epsilon", [](S& s) { s.epsilon = -0.5; }, {"epsilon is -0.5"});
        row("keep", [](S& s) { s.dropoutKeep = 1.5; }, {"keep is 1.5"});
        row("smoothing", [](S& s) { s.labelSmoothing = 1.0; }, {"label_smoothing is 1"});
        row("auxiliary", [](S& s) { s.auxiliaryWeight = -1.0; },
            {"model.auxiliary_weight is -1", "0 or more"});
        row("weight decay", [](S& s) { s.weightDecay = NAN; }, {"model.weight_decay is nan"});
        row("segdecnet's", [](S& s) { s.variant = "authors"; },
            {"model.variant is 'authors'", "trainer, torchvision"});
        row("of cifar10",
            [](S& s) {
                s.name = "cifar10";
                s.classes = 5;
            },
            {"model.classes", "'cifar10'"});
        row("of segdecnet",
            [](S& s) {
                s.name = "segdecnet";
                s.dropoutKeep = 0.5;
            },
            {"model.dropout_keep", "'segdecnet'"});
    }

    /// As torchvision counts them.
    void Torchvisions_hasItsParameters()
    {
        QCOMPARE(
            qint64{inceptionV3Network(torchvisionInception()).parameterElements()},
            qint64{27'161'264});
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

    void Settings_areThoseOfTheirNetworks()
    {
        QVERIFY(modelHasSetting("inception_v3", "classes"));
        QVERIFY(modelHasSetting("inception_v3", "moments"));
        QVERIFY(modelHasSetting("segdecnet", "variant"));
        QVERIFY(!modelHasSetting("segdecnet", "classes"));
        QVERIFY(!modelHasSetting("inception_v3", "scale"));
        QVERIFY(modelHasSetting("resnet18", "classes"));
        QVERIFY(!modelHasSetting("resnet18", "dropout_keep"));
        QVERIFY(!modelHasSetting("cifar10", "normalization"));
        QVERIFY(!modelHasSetting("inception_v3", "name"));
    }
};

LOCKSTEP_TEST(TestInceptionV3)
#include "test_inception_v3.moc"
