// SPDX-License-Identifier: Apache-2.0
// The residual and mobile networks on the CPU: as many parameters as their authors count, the slope
// of the loss along the gradient by central difference, and the loss that a training begins with.
#include "base/thread_team.h"
#include "network/model_file.h"
#include "network/models/classifiers.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/loss_slope.h"

using namespace lockstep;
using test::Random;

namespace {

NetworkSpec fetchedNetwork(std::int64_t size, std::int64_t classes)
{
    QFETCH(QString, name);
    ClassifierSettings settings = classifierSettings(name.toStdString());
    settings.inputHeight = settings.inputWidth = size;
    settings.classes = classes;
    return classifierNetwork(name.toStdString(), settings);
}

} // namespace

class TestClassifiers : public QObject
{
    Q_OBJECT

private slots:
    /// As torchvision counts them for 1000 classes; He et al.'s for CIFAR-10 are "0.27M", "0.85M".
    void Parameters_areAsManyAsTheAuthorsCount_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("resnet18") << "resnet18" << qint64{11'689'512};
        QTest::newRow("resnet50") << "resnet50" << qint64{25'557'032};
        QTest::newRow("resnet20") << "resnet20" << qint64{269'722};
        QTest::newRow("resnet56") << "resnet56" << qint64{853'018};
        QTest::newRow("mobilenet_v3_small") << "mobilenet_v3_small" << qint64{2'542'856};
    }
    void Parameters_areAsManyAsTheAuthorsCount()
    {
        QFETCH(QString, name);
        QFETCH(qint64, parameters);
        const ClassifierSettings settings = classifierSettings(name.toStdString());
        QCOMPARE(
            qint64{classifierNetwork(name.toStdString(), settings).parameterElements()},
            parameters);
    }

    void SlopeOfTheLoss_byGradientAndByDifference_agree_data() { addNames(); }
    void SlopeOfTheLoss_byGradientAndByDifference_agree()
    {
        const NetworkSpec network = fetchedNetwork(64, 7);
        Random random(31);
        // Its last maps have four cells: with fewer rows there is too little to normalise by.
        const std::int64_t rows = QByteArrayView(QTest::currentDataTag()) == "resnet50" ? 8 : 2;
        const auto errors = test::slopeErrors(network, test::randomExamples(network, rows, random));
        QVERIFY2(errors.bySums < 1e-3, errors.text().c_str());
        QVERIFY2(errors.asTrained < 1e-3, errors.text().c_str());
    }

    /// The logits begin near 0.
    void FirstLoss_isTheLogarithmOfTheClasses_data() { addNames(); }
    void FirstLoss_isTheLogarithmOfTheClasses()
    {
        constexpr std::int64_t kRows = 4;
        constexpr std::int64_t kClasses = 1000;
        const NetworkSpec network = fetchedNetwork(64, kClasses);
        Random random(32);
        const auto examples = test::randomExamples(network, kRows, random);
        const test::CpuPass pass(
            network, referenceParameters(network, 1), examples,
            {Precision::Float32, true, ThreadTeam::processors()});
        const double loss = pass.lossSum(network) / static_cast<double>(kRows);
        QVERIFY2(
            std::abs(loss - std::log(static_cast<double>(kClasses))) < 0.05,
            qPrintable(QString::number(loss)));
    }

    /// Half padding leaves a cell of the smallest.
    void SmallestInput_isBuilt_data() { addNames(); }
    void SmallestInput_isBuilt()
    {
        const NetworkSpec network = fetchedNetwork(1, 3);
        QCOMPARE(toString(network.layers.back().shape), std::string("1x1x3"));
    }

    void BlocksOfAModelFile_makeTheBuiltInNetwork()
    {
        const NetworkSpec file =
            readModelFile(std::string(LOCKSTEP_SOURCE_DIR) + "/resources/models/resnet20.toml");
        const NetworkSpec own = classifierNetwork("resnet20", classifierSettings("resnet20"));
        QCOMPARE(file.layers.size(), own.layers.size());
        for (std::size_t i = 0; i < own.layers.size(); ++i) {
            QCOMPARE(file.layers[i].name, own.layers[i].name);
            QCOMPARE(file.layers[i].inputs, own.layers[i].inputs);
            QCOMPARE(file.layers[i].spec.index(), own.layers[i].spec.index());
            QCOMPARE(toString(file.layers[i].shape), toString(own.layers[i].shape));
        }
        QCOMPARE(file.parameters.size(), own.parameters.size());
        for (std::size_t i = 0; i < own.parameters.size(); ++i) {
            QCOMPARE(file.parameters[i].name, own.parameters[i].name);
            QCOMPARE(file.parameters[i].weightDecay, own.parameters[i].weightDecay);
        }
        // The same values from the same seed, and the same loss of them.
        Random random(33);
        const auto examples = test::randomExamples(own, 4, random);
        const test::CpuPass ofFile(file, referenceParameters(file, 9), examples);
        const test::CpuPass ofOwn(own, referenceParameters(own, 9), examples);
        QCOMPARE(ofFile.lossSum(file), ofOwn.lossSum(own));
    }

    void BadSetting_isNamed()
    {
        ClassifierSettings settings = classifierSettings("resnet18");
        settings.classes = 0;
        QVERIFY(test::tells(
            test::errorOf([&] { classifierNetwork("resnet18", settings); }), ErrorCode::BadInput,
            "model.classes"));
        settings = classifierSettings("resnet18");
        settings.weightDecay = -1.0;
        QVERIFY(test::tells(
            test::errorOf([&] { classifierNetwork("resnet18", settings); }), ErrorCode::BadInput,
            "model.weight_decay"));
    }

private:
    static void addNames()
    {
        QTest::addColumn<QString>("name");
        for (const std::string& name : classifierNames()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
};

LOCKSTEP_TEST(TestClassifiers)
#include "test_classifiers.moc"
