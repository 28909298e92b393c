// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"
#include "support/lockstep_test.h"

#include <fstream>
#include <iterator>

using namespace lockstep;
using namespace lockstep::test;
using api::ErrorCode;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The small network, given as text in place of the setting.
void giveText(Scene& scene)
{
    scene.request.network = textOf(LOCKSTEP_SMALL_MODEL);
    scene.request.settings.erase(scene.request.settings.begin());
}

} // namespace

class TestNetworkText : public QObject
{
    Q_OBJECT

private slots:
    void NetworkText_liesInTheRun_andMustBeTheSame();
    void NetworkText_wrong_leavesNoFolder();
    void NetworkText_inAFolderWithOtherThings_leavesThem();
};

void TestNetworkText::NetworkText_liesInTheRun_andMustBeTheSame()
{
    Scene scene;
    Kept byFile;
    api::train(scene.request, byFile);
    giveText(scene);
    Kept byText;
    scene.request.folder = scene.folder / "text";
    api::train(scene.request, byText);
    QCOMPARE(byText.losses(), byFile.losses());
    QCOMPARE(textOf(scene.request.folder / "model.toml"), scene.request.network);

    fs::rename(scene.request.folder, scene.folder / "moved");
    scene.request.folder = scene.folder / "moved";
    QCOMPARE(
        api::test({.checkpoint = scene.request.folder, .data = &scene.unseen}).evaluation.examples,
        8);
    scene.request.isResume = true;
    scene.set("steps", "8");
    QCOMPARE(api::train(scene.request).steps, 8);
    scene.request.network += "# of another kind\n";
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "moved/model.toml", "another"));
    scene.request.folder = scene.folder / "run";
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "not given as text"));
}

void TestNetworkText::NetworkText_wrong_leavesNoFolder()
{
    Scene scene;
    giveText(scene);
    scene.training.shape = {20, 20, 3};
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "24x24x3"));
    QVERIFY(!fs::exists(scene.request.folder));
    scene.request.network = "name = ";
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "network"));
    scene.request.network = textOf(LOCKSTEP_SMALL_MODEL);
    scene.request.folder.clear();
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "needs a folder"));
    std::ofstream(scene.folder / "file") << "no folder";
    scene.request.folder = scene.folder / "file" / "run";
    QVERIFY(refuses(
        ErrorCode::Io, [&] { api::train(scene.request); }, "file/run"));
}

void TestNetworkText::NetworkText_inAFolderWithOtherThings_leavesThem()
{
    Scene scene;
    giveText(scene);
    fs::create_directory(scene.request.folder);
    std::ofstream(scene.request.folder / "letter") << "dear";
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "not an empty folder"));
    QVERIFY(!fs::exists(scene.request.folder / "model.toml"));
    fs::remove(scene.request.folder / "letter");
    std::ofstream(scene.request.folder / "model.toml") << "mine";
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "another network"));
    QCOMPARE(textOf(scene.request.folder / "model.toml"), std::string("mine"));
}

LOCKSTEP_TEST(TestNetworkText)
#include "test_network_text.moc"
