// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"
#include "support/lockstep_test.h"

#include <set>
#include <stdexcept>

using namespace lockstep;
using namespace lockstep::test;
using api::ErrorCode;

class TestDataset : public QObject
{
    Q_OBJECT

private slots:
    void OwnData_trainAndTest_asTheSameDataByName();
    void OwnData_areAskedForOnce();
    void WrongLabel_namesTheExample();
    void ThrowingExample_isNamedWithItsReason();
    void WrongShape_isRefused();
    void EmptyData_areRefused();
    void HalfOfTheData_isRefused();
    void OtherNameOnResume_isRefused();
};

void TestDataset::OwnData_trainAndTest_asTheSameDataByName()
{
    Scene scene;
    Kept own;
    const auto trained = api::train(scene.request, own);

    writeCifar10Folder(scene.folder / "data", 8);
    scene.request.training = scene.request.test = nullptr;
    scene.request.folder = scene.folder / "by-name";
    scene.set("dataset.name", "cifar10");
    scene.set("dataset.path", (scene.folder / "data").string());
    Kept named;
    const auto trainedByName = api::train(scene.request, named);

    QCOMPARE(own.losses().size(), std::size_t{12});
    QCOMPARE(own.losses(), named.losses());
    const auto mine = api::test({trained.checkpoint, &scene.unseen});
    const auto theirs = api::test({trainedByName.checkpoint});
    QCOMPARE(mine.evaluation.examples, 8);
    QCOMPARE(mine.evaluation.loss, theirs.evaluation.loss);
    QCOMPARE(mine.evaluation.accuracy, theirs.evaluation.accuracy);
}

void TestDataset::OwnData_areAskedForOnce()
{
    Scene scene;
    std::multiset<std::int64_t> asked;
    scene.training.onExample = [&](std::int64_t index) { asked.insert(index); };
    api::train(scene.request);
    QCOMPARE(asked.size(), std::size_t{40});
    QCOMPARE(std::set(asked.begin(), asked.end()).size(), std::size_t{40});
}

void TestDataset::WrongLabel_namesTheExample()
{
    Scene scene;
    scene.training.labelOffset = 1; // example 9 is then of class 10
    QVERIFY(refuses(
        ErrorCode::Data, [&] { api::train(scene.request); }, "program:patterns", "train example 9",
        "label 10", "10 classes"));
    QVERIFY(!std::filesystem::exists(scene.request.folder));
}

void TestDataset::ThrowingExample_isNamedWithItsReason()
{
    Scene scene;
    scene.unseen.onExample = [](std::int64_t index) {
        if (index == 3) {
            throw std::runtime_error("the camera is off");
        }
    };
    QVERIFY(refuses(
        ErrorCode::Data, [&] { api::train(scene.request); }, "test example 3",
        "the camera is off"));
}

void TestDataset::WrongShape_isRefused()
{
    Scene scene;
    scene.training.shape = {20, 20, 3}; // the network reads 24 x 24
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "program:patterns", "24x24x3",
        "20x20x3"));
    scene.training.shape = {32, 0, 3};
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "32x0x3"));
}

void TestDataset::EmptyData_areRefused()
{
    Scene scene;
    const Brought none(0, 0);
    scene.request.test = &none;
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "(test): 0 examples"));
}

void TestDataset::HalfOfTheData_isRefused()
{
    Scene scene;
    scene.request.test = nullptr;
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "both"));
}

void TestDataset::OtherNameOnResume_isRefused()
{
    Scene scene;
    api::train(scene.request);
    scene.request.isResume = true;
    scene.request.training = scene.request.test = nullptr;
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "'program:patterns' is made by"));
    scene.set("dataset.name", "synthetic");
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "dataset.name", "program:patterns",
        "synthetic"));
}

LOCKSTEP_TEST(TestDataset)
#include "test_dataset.moc"
