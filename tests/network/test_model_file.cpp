// SPDX-License-Identifier: Apache-2.0
#include "network/model_file.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fstream>

using namespace lockstep;

namespace {

/// A network that uses every key of every layer; tests change one line of it.
const char* const kComplete = R"(name = "complete"
classes = 3
input = { height = 9, width = 7, channels = 2 }

[[layer]]
name = "conv"
type = "conv2d"
channels = 4
kernel = [3, 5]
stride = [2, 1]
padding = "valid"
activation = "relu"
stddev = 0.2
bias = 0.5
weight_decay = 0.01
group = "trunk"

[[layer]]
name = "pool"
type = "max_pool"
window = [2, 1]
stride = [2, 3]
padding = "valid"

[[layer]]
name = "norm"
type = "lrn"
depth_radius = 2
bias = 2
alpha = 0.25
beta = 0.75

[[layer]]
name = "skipped"
type = "dense"
units = 8
from = "conv"
activation = "relu"

[[layer]]
name = "scores"
type = "dense"
units = 3
from = "norm"

[[objective]]
name = "classes"
logits = "scores"
weight = 0.5
)";

/// A network that branches, with masks as targets.
const char* const kTwoStages = R"(name = "stages"
classes = 2
input = { height = 4, width = 4, channels = 2 }
mask = { height = 4, width = 4 }

[[layer]]
name = "conv"
type = "conv2d"
channels = 3
kernel = [1, 1]
has_bias = false
initializer = "normal"
stddev = 0.01
group = "a"

[[layer]]
name = "norm"
type = "normalization"
mode = "per_image"
has_scale = false
epsilon = 0.01
decay = 0.9
activation = "relu"
group = "a"

[[layer]]
name = "logits"
type = "conv2d"
channels = 1
initializer = "xavier_uniform"

[[layer]]
name = "mask"
type = "elementwise"
activation = "sigmoid"

[[layer]]
name = "joined"
type = "concat"
from = ["norm", "mask"]

[[layer]]
name = "summary"
type = "global_pool"
reduction = "max"
from = "joined"

[[layer]]
name = "score"
type = "dense"
units = 1

[[layer]]
name = "classes"
type = "dense"
units = 2
from = "summary"

[[output]]
name = "mask"
layer = "mask"

[[objective]]
name = "cells"
logits = "logits"
target = "mask"

[[objective]]
name = "whole"
logits = "score"
target = "mask_sum"
groups = "network"

[[objective]]
name = "label"
logits = "classes"
target = "label"
)";

/// kComplete with one piece of text replaced.
QString changed(const char* from, const char* to)
{
    QString text(kComplete);
    if (!text.contains(from)) {
        throw std::runtime_error(std::string("the test changes what is not there: ") + from);
    }
    return text.replace(from, to);
}

} // namespace

class TestModelFile : public QObject
{
    Q_OBJECT

private slots:
    void ShippedModel_reads()
    {
        const NetworkSpec network = readModelFile(LOCKSTEP_SMALL_MODEL);
        QCOMPARE(network.name, std::string("small"));
        QCOMPARE(network.classes, 10);
        QVERIFY((network.inputShape() == Shape{24, 24, 3}));
        // 16 5x5x3 and 32 3x3x16 filters; 24 / 2 / 2 / 2 = 3 cells a side into 10 units.
        QCOMPARE(
            network.parameterElements(), 16 * 75 + 16 + 32 * 144 + 32 + 10 * (3 * 3 * 32) + 10);
        QCOMPARE(network.outputs.size(), std::size_t{1});
    }

    void CompleteModel_reads_everyKey()
    {
        const NetworkSpec network = parseModel(kComplete, "model.toml");
        const auto conv = std::get<Conv2d>(network.layers.at(1).spec);
        QCOMPARE(conv.channels, 4);
        QVERIFY((conv.kernel == Extent{3, 5}));
        QVERIFY((conv.stride == Extent{2, 1}));
        QVERIFY(conv.padding == Padding::Valid);
        QVERIFY(conv.activation == Activation::Relu);
        QCOMPARE(std::get<TruncatedNormal>(conv.parameters.weights).stddev, 0.2);
        QCOMPARE(std::get<Constant>(conv.parameters.bias).value, 0.5);
        QCOMPARE(network.parameters.at(0).weightDecay, 0.01);
        QCOMPARE(network.parameters.at(0).group, std::string("trunk"));
        QCOMPARE(network.parameters.at(1).weightDecay, 0.0);

        const auto pool = std::get<MaxPool>(network.layers.at(2).spec);
        QVERIFY((pool.window == Extent{2, 1}));
        QVERIFY((pool.stride == Extent{2, 3}));
        QVERIFY(pool.padding == Padding::Valid);

        const auto lrn = std::get<Lrn>(network.layers.at(3).spec);
        QCOMPARE(lrn.depthRadius, 2);
        QCOMPARE(lrn.bias, 2.0);
        QCOMPARE(lrn.alpha, 0.25);
        QCOMPARE(lrn.beta, 0.75);

        QVERIFY(network.layers.at(4).inputs == std::vector<LayerId>{1});
        QVERIFY(network.layers.at(5).inputs == std::vector<LayerId>{3});
        QCOMPARE(network.objectives.at(0).name, std::string("classes"));
        QCOMPARE(network.objectives.at(0).weight, 0.5);
        QCOMPARE(sourceOf(network.objectives.at(0)), 5);
    }

    void ShortModel_reads_withTheDefaultsThatItsCommentsName()
    {
        const NetworkSpec network = parseModel(
            R"(name = "short"
            classes = 2
            input = { height = 8, width = 8, channels = 1 }
            layer = [{ name = "c", type = "conv2d", channels = 2 }, { name = "p", type = "max_pool" },
                     { name = "n", type = "lrn" }, { name = "d", type = "dense", units = 2 }]
            objective = [{ logits = "d" }])",
            "short.toml");
        const auto conv = std::get<Conv2d>(network.layers.at(1).spec);
        QVERIFY(
            (conv.kernel == Extent{3, 3}) && (conv.stride == Extent{1, 1})
            && conv.padding == Padding::Same && conv.activation == Activation::None);
        QCOMPARE(std::get<TruncatedNormal>(conv.parameters.weights).stddev, 0.05);
        QCOMPARE(std::get<Constant>(conv.parameters.bias).value, 0.0);
        const auto pool = std::get<MaxPool>(network.layers.at(2).spec);
        QVERIFY((pool.window == Extent{2, 2}) && (pool.stride == Extent{2, 2}));
        const auto lrn = std::get<Lrn>(network.layers.at(3).spec);
        QCOMPARE(lrn.depthRadius, 5);
        QCOMPARE(lrn.bias, 1.0);
        QCOMPARE(lrn.alpha, 1.0);
        QCOMPARE(lrn.beta, 0.5);
        QCOMPARE(network.objectives.at(0).name, std::string("cross_entropy"));
        QCOMPARE(network.objectives.at(0).weight, 1.0);
    }

    void TwoObjectives_readOneTrunk()
    {
        const QString text = QString(kComplete)
                             + "[[objective]]\nname = \"more\"\nlogits = \"scores\"\nweight = 2\n";
        const NetworkSpec network = parseModel(text.toStdString(), "two.toml");
        QCOMPARE(network.objectives.size(), std::size_t{2});
        QCOMPARE(network.objectives.at(1).weight, 2.0);
    }

    void Model_ofTwoStages_isRead()
    {
        const NetworkSpec network = parseModel(kTwoStages, "stages.toml");
        QCOMPARE(toString(*network.maskShape), std::string("4x4x1"));
        const auto conv = std::get<Conv2d>(network.layers.at(1).spec);
        QVERIFY(!conv.hasBias);
        QCOMPARE(std::get<Normal>(conv.parameters.weights).stddev, 0.01);
        const auto norm = std::get<Normalization>(network.layers.at(2).spec);
        QVERIFY(norm.mode == NormalizationMode::PerImage && !norm.hasScale);
        QVERIFY(norm.activation == Activation::Relu);
        QCOMPARE(norm.epsilon, 0.01);
        QCOMPARE(norm.decay, 0.9);
        QCOMPARE(norm.parameters.group, std::string("a"));
        QVERIFY(std::holds_alternative<XavierUniform>(network.parameters.at(4).initializer));
        QVERIFY(std::get<Elementwise>(network.layers.at(4).spec).activation == Activation::Sigmoid);
        QCOMPARE(toString(network.layers.at(5).shape), std::string("4x4x4"));
        QVERIFY((network.layers.at(5).inputs == std::vector<LayerId>{2, 4}));
        QVERIFY(std::get<GlobalPool>(network.layers.at(6).spec).reduction == Reduction::Max);
        QCOMPARE(network.outputs.at(0).name, std::string("mask"));
        QCOMPARE(network.outputs.at(0).layer, 4);
        using Target = SigmoidCrossEntropy::Target;
        QVERIFY(
            std::get<SigmoidCrossEntropy>(network.objectives.at(0).loss).target == Target::Mask);
        QVERIFY(
            std::get<SigmoidCrossEntropy>(network.objectives.at(1).loss).target == Target::MaskSum);
        QVERIFY(network.objectives.at(1).groups == std::vector<std::string>{"network"});
        QVERIFY(std::holds_alternative<SoftmaxCrossEntropy>(network.objectives.at(2).loss));
    }

    void BadModel_ofTwoStages_isRefused_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, const char* before, const char* after,
                            const QStringList& named) {
            QTest::newRow(name) << before << after << named;
        };
        row("mode", "\"per_image\"", "\"image\"", {"'norm'", "'image'", "synchronised"});
        row("epsilon", "epsilon = 0.01", "epsilon = 0", {"'norm'", "epsilon is 0"});
        row("decay", "decay = 0.9", "decay = 1.0", {"'norm'", "decay is 1"});
        row("number for a truth", "has_scale = false", "has_scale = 0",
            {"'norm'", "'has_scale'", "true or false"});
        row("inner sigmoid", R"(activation = "relu")", R"(activation = "sigmoid")",
            {"'norm'", "elementwise"});
        row("no activation", R"(activation = "sigmoid")", "", {"'mask'", "'activation'"});
        row("initializer", R"("xavier_uniform")", R"("xavier")", {"'logits'", "'xavier'"});
        row("a later layer", R"(["norm", "mask"])", R"(["input", "norm", "summary"])",
            {"'summary'"});
        row("two inputs for one", R"(from = "joined")", R"(from = ["joined", "mask"])",
            {"'summary'", "exactly one"});
        row("numbers for names", R"(["norm", "mask"])", "[1, 2]", {"'joined'", "'from'", "text"});
        row("reduction", R"(reduction = "max")", R"(reduction = "sum")", {"'summary'", "'sum'"});
        row("no mask", "mask = { height = 4, width = 4 }", "", {"'cells'", "mask"});
        row("mask of another size", "mask = { height = 4", "mask = { height = 5",
            {"'cells'", "'logits'", "4x4x1", "5x4x1"});
        row("empty mask", "mask = { height = 4", "mask = { height = 0", {"0x4"});
        row("target", "target = \"mask_sum\"", "target = \"sum\"",
            {"'whole'", "'sum'", "mask_sum"});
        row("score of two values", "units = 1", "units = 2", {"'whole'", "'score'", "1x1x2"});
        row("output of nothing", "layer = \"mask\"", "layer = \"mast\"", {"'mask'", "'mast'"});
    }

    void BadModel_ofTwoStages_isRefused()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QStringList, named);
        const QString text = QString(kTwoStages).replace(before, after);
        QVERIFY(text != kTwoStages);
        const QString what =
            test::failureOf([&] { parseModel(text.toStdString(), "stages.toml"); });
        QVERIFY2(what.startsWith("stages.toml"), qPrintable(what));
        for (const QString& word : named) {
            QVERIFY2(what.contains(word), qPrintable(what));
        }
    }

    void BadModel_isRefused_withFileAndPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, const QString& text, const QStringList& named) {
            QTest::newRow(name) << text << named;
        };
        row("syntax", changed("units = 3", "units = = 3"), {"line 43"});
        row("key given twice", changed("units = 3", "units = 3\nunits = 4"), {"line 44", "units"});
        row("empty file", "", {"input"});
        row("no name", changed("name = \"complete\"", ""), {"'name' is missing"});
        row("no classes", changed("classes = 3", ""), {"'classes' is missing"});
        row("no input", changed("input = { height = 9, width = 7, channels = 2 }", ""), {"input"});
        row("input lacks a side", changed("width = 7, ", ""), {"input", "'width' is missing"});
        row("input has no size", changed("width = 7", "width = 0"), {"complete", "9x0x2"});
        row("unknown key of the file", changed("classes = 3", "classes = 3\ncolour = 1"),
            {"'colour'"});
        row("unknown key of the input", changed("width = 7", "width = 7, depth = 2"),
            {"input", "'depth'"});
        row("unknown key of a layer", changed("stddev = 0.2", "std = 0.2"), {"'conv'", "'std'"});
        row("key of another type of layer", changed("depth_radius = 2", "window = [2, 2]"),
            {"'norm'", "'window'"});
        row("unknown key of an objective", changed("weight = 0.5", "wait = 0.5"),
            {"'classes'", "'wait'"});
        row("unknown type", changed("\"max_pool\"", "\"avg_pool\""),
            {"'pool'", "'avg_pool'", "conv2d, conv_transpose2d, max_pool"});
        row("of itself", changed("from = \"norm\"", "from = \"scores\""),
            {"'scores'", "before it", "circle"});
        row("groups that don't divide", changed("channels = 4", "channels = 4\ngroups = 3"),
            {"'conv'", "3 groups", "2 input", "4 output"});
        row("nothing stands for it", changed("units = 3", "units = \"$clases\""),
            {"'scores'", "'$clases'", "value"});
        row("weights of other classes", changed("weight = 0.5", "class_weights = [1.0, 2.0]"),
            {"'classes'", "class_weights"});
        row("no type", changed("type = \"lrn\"", ""), {"'norm'", "'type' is missing"});
        row("layer without a name", changed("name = \"pool\"", ""), {"layer '2'", "'name'"});
        row("missing field", changed("channels = 4", ""), {"'conv'", "'channels' is missing"});
        row("text for a number", changed("channels = 4", "channels = \"4\""),
            {"'conv'", "'channels'", "whole number"});
        row("fraction for a whole number", changed("channels = 4", "channels = 4.5"),
            {"'conv'", "'channels'", "whole number"});
        row("text for a fraction", changed("stddev = 0.2", "stddev = \"small\""),
            {"'conv'", "'stddev'", "a number"});
        row("a deviation for a range",
            changed("stddev = 0.2", "stddev = 0.2\ninitializer = \"xavier_uniform\""),
            {"'conv'", "'stddev'", "xavier_uniform"});
        row("number for a text", changed("group = \"trunk\"", "group = 1"),
            {"'conv'", "'group'", "text"});
        row("one number for a pair", changed("kernel = [3, 5]", "kernel = 3"),
            {"'conv'", "'kernel'", "[height, width]"});
        row("three numbers for a pair", changed("kernel = [3, 5]", "kernel = [3, 5, 1]"),
            {"'conv'", "'kernel'"});
        row("fractions for a pair", changed("kernel = [3, 5]", "kernel = [3.5, 5.0]"),
            {"'conv'", "'kernel'"});
        row("unknown padding",
            changed("padding = \"valid\"\nactivation", "padding = \"full\"\nactivation"),
            {"'conv'", "'full'", "same, valid"});
        row("unknown activation",
            changed("activation = \"relu\"\nstddev", "activation = \"tanh\"\nstddev"),
            {"'conv'", "'tanh'", "none, relu"});
        row("duplicate name", changed("name = \"norm\"", "name = \"pool\""), {"'pool'", "twice"});
        row("unknown from", changed("from = \"conv\"", "from = \"cone\""), {"'skipped'", "'cone'"});
        row("from a later layer", changed("from = \"conv\"", "from = \"scores\""),
            {"'skipped'", "'scores'"});
        row("window larger than its input", changed("kernel = [3, 5]", "kernel = [3, 8]"),
            {"'conv'", "3x8", "9x7x2"});
        row("negative stride", changed("stride = [2, 3]", "stride = [2, -3]"),
            {"'pool'", "stride"});
        row("logits of another size", changed("classes = 3", "classes = 4"),
            {"'classes'", "'scores'", "3 values", "4 classes"});
        row("unknown logits", changed("logits = \"scores\"", "logits = \"score\""),
            {"'classes'", "'score'"});
        row("no logits", changed("logits = \"scores\"", ""), {"'classes'", "'logits' is missing"});
        row("no objective",
            changed("[[objective]]\nname = \"classes\"\nlogits = \"scores\"\nweight = 0.5\n", ""),
            {"objective"});
        row("no layer",
            "name = \"n\"\nclasses = 2\ninput = { height = 1, width = 1, channels = 1 }\n"
            "[[objective]]\nlogits = \"input\"\n",
            {"layer"});
        row("layers that are no tables",
            "name = \"n\"\nclasses = 2\nlayer = [1, 2]\n"
            "input = { height = 1, width = 1, channels = 1 }\n",
            {"layer"});
    }

    void BadModel_isRefused_withFileAndPlace()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, named);
        const auto error =
            test::errorOf([&] { parseModel(text.toStdString(), "folder/bad.toml"); });
        QVERIFY(test::tells(error, ErrorCode::BadInput));
        QVERIFY2(QString(error->what()).startsWith("folder/bad.toml"), error->what());
        QVERIFY2(QString(error->what()).count("folder/bad.toml") == 1, error->what());
        for (const QString& word : named) {
            QVERIFY(test::tells(error, ErrorCode::BadInput, word.toStdString()));
        }
    }

    void BadBlock_isRefused_withItsPlace_data()
    {
        QTest::addColumn<QString>("block");
        QTest::addColumn<QString>("use");
        QTest::addColumn<QStringList>("named");
        const QString inner =
            "[[block.layer]]\nname = \"a\"\ntype = \"dense\"\nunits = \"$units\"\n";
        const QString good = "[[block]]\nname = \"b\"\n" + inner;
        const auto row = [](const char* name, const QString& block, const QString& use,
                            const QStringList& named) {
            QTest::newRow(name) << block << use << named;
        };
        row("without layers", "[[block]]\nname = \"b\"\n", "", {"block 'b'", "[[block.layer]]"});
        row("without name", "[[block]]\n" + inner, "", {"block ''", "name"});
        row("twice", good + good, "", {"block 'b'", "twice"});
        row("unknown key", "[[block]]\nname = \"b\"\nrepeats = 2\n" + inner, "", {"'repeats'"});
        row("no value", good, "", {"layer 'x'", "'$units'", "value"});
        row("no place", good, "units = 3\nsize = 2", {"layer 'x'", "no place for 'size'"});
        row("none of it", good, "units = 3\nrepeat = 0", {"layer 'x'", "repeat is 0"});
    }
    void BadBlock_isRefused_withItsPlace()
    {
        QFETCH(QString, block);
        QFETCH(QString, use);
        QFETCH(QStringList, named);
        const QString text =
            "name = \"m\"\nclasses = 3\ninput = { height = 2, width = 2, channels = 1 }\n" + block
            + "[[layer]]\nname = \"x\"\ntype = \"b\"\n" + use
            + "\n[[layer]]\nname = \"y\"\ntype = \"dense\"\nunits = \"$classes\"\n"
              "[[objective]]\nlogits = \"y\"\n";
        const auto error =
            test::errorOf([&] { parseModel(text.toStdString(), "folder/bad.toml"); });
        for (const QString& word : named) {
            QVERIFY2(
                test::tells(error, ErrorCode::BadInput, word.toStdString()),
                error ? error->what() : "");
        }
    }

    void Classes_ofTheData_takeThePlaceOfTheFiles()
    {
        const QString text = QString(kComplete).replace("units = 3", "units = \"$classes\"");
        const NetworkSpec network = parseModel(text.toStdString(), "any.toml", 11);
        QCOMPARE(network.classes, 11);
        QCOMPARE(toString(network.layers.back().shape), std::string("1x1x11"));
    }

    void File_thatIsNotThere_isRefused_withItsName()
    {
        const test::TemporaryFolder folder;
        QVERIFY(test::tells(
            test::errorOf([&] { readModelFile(folder / "none.toml"); }), ErrorCode::BadInput,
            "none.toml", "No such file"));
    }

    void Folder_inPlaceOfAFile_isRefused_withItsName()
    {
        const test::TemporaryFolder folder;
        QVERIFY(test::tells(
            test::errorOf([&] { readModelFile(folder.path()); }), ErrorCode::BadInput,
            folder.path().string(), "can't read"));
    }

    void Description_ofANetwork_isToldFromOtherFiles_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isNetwork");
        QTest::newRow("layers") << kComplete << true;
        QTest::newRow("only blocks") << "[[block]]\nname = \"residual\"" << true;
        QTest::newRow("wrong") << "[[layer]]\ntype = 7" << true;
        QTest::newRow("configuration") << "steps = 7\n[model]\nname = \"a.toml\"" << false;
        QTest::newRow("no TOML") << "[[layer]]\n= 7" << false;
    }

    void Description_ofANetwork_isToldFromOtherFiles()
    {
        QFETCH(const QString, text);
        const test::TemporaryFolder folder;
        std::ofstream(folder / "a.toml") << text.toStdString();
        QTEST(describesNetwork(folder / "a.toml"), "isNetwork");
        QVERIFY(!describesNetwork(folder / "none.toml"));
        QVERIFY(!describesNetwork(folder.path()));
    }
};

LOCKSTEP_TEST(TestModelFile)
#include "test_model_file.moc"
