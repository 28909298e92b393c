// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "session/mask_model.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <set>

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// A grey ramp as BMP of 24 bits, 16 x 16.
std::string rampBmp()
{
    std::string bytes = "BM";
    const auto append = [&bytes](unsigned value, int count) {
        for (int i = 0; i < count; ++i) {
            bytes += static_cast<char>(value >> (8 * i) & 255U);
        }
    };
    append(54 + 16 * 16 * 3, 4);
    append(0, 4);
    append(54, 4);
    append(40, 4);
    append(16, 4);
    append(16, 4);
    append(1, 2);
    append(24, 2);
    bytes.append(24, '\0');
    for (unsigned pixel = 0; pixel < 16 * 16; ++pixel) {
        append(pixel * 0x010101U, 3);
    }
    return bytes;
}

std::set<std::string> filesBelow(const fs::path& folder)
{
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        files.insert(entry.path().string());
    }
    return files;
}

} // namespace

/// `evaluate --image`.
class TestEvaluateImage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Images_areScored_andNothingIsWritten();
    void ClassesOfADetector_areRefused_beforeItIsEvaluated();
    void Wrong_isRefused_andNamed_data();
    void Wrong_isRefused_andNamed();

private:
    [[nodiscard]] QString at(const char* name) const { return toText(m_folder / name); }

    TemporaryFolder m_folder;
};

void TestEvaluateImage::initTestCase()
{
    std::ofstream(m_folder / "joint.toml")
        << "steps = 2\n[[phase]]\nobjective = \"joint\"\nsteps = 2\n";
    std::ofstream(m_folder / "part.bmp", std::ios::binary) << rampBmp();
    std::ofstream(m_folder / "notes.png") << "dear diary";
    const Outcome outcome = runProgram(
        {"train", "--config", at("joint.toml"), "--model", toText(writeMaskModel(m_folder.path())),
         "--dataset", "synthetic_defects", "--towers", "1", "--batch-per-tower", "4", "--device",
         "cpu", "--run", at("run")});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
}

void TestEvaluateImage::Images_areScored_andNothingIsWritten()
{
    const std::set<std::string> before = filesBelow(m_folder.path());
    const QStringList arguments{"evaluate",     "--checkpoint", at("run"),     "--image",
                                at("part.bmp"), "--image",      at("part.bmp")};
    const Outcome json = runProgram(arguments + QStringList{"--json"});
    QVERIFY2(json.exitCode == 0, json.text().constData());
    QCOMPARE(json.events().size(), 1);
    const QJsonArray images = json.events().front()["images"].toArray();
    QCOMPARE(images.size(), 2);
    QCOMPARE(images[0], images[1]);
    const double score = images[0].toObject()["score"].toDouble();
    QVERIFY(score > 0.0 && score < 1.0);
    QCOMPARE(images[0].toObject()["mask_height"].toInt(), 8);
    const Outcome text = runProgram(arguments);
    QCOMPARE(text.out.count('\n'), 2);
    QVERIFY(text.out.startsWith(QByteArray::number(score, 'f', 4) + "  "));
    QVERIFY(text.out.contains("of 8 x 4 cells"));
    QCOMPARE(filesBelow(m_folder.path()), before);
}

void TestEvaluateImage::ClassesOfADetector_areRefused_beforeItIsEvaluated()
{
    const QStringList arguments{"evaluate", "--checkpoint", at("run"), "--device", "cpu"};
    for (const char* option : {"--confusion", "--images"}) {
        const Outcome outcome = runProgram(arguments + QStringList{option, at("classes.csv")});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.err.contains("detector, does not classify"), outcome.err.constData());
        QVERIFY(outcome.out.isEmpty()); // no result was there to be told
    }
}

void TestEvaluateImage::Wrong_isRefused_andNamed_data()
{
    addRows<QStringList, QByteArray>(
        {"arguments", "culprit"},
        {{"no image",
          {"--image", at("notes.png")},
          QByteArray("notes.png: is not a JPEG, PNG or BMP")},
         {"no file", {"--image", at("missing.png")}, "missing.png: can't be read"},
         {"both ways", {"--image", at("part.bmp"), "--images"}, "--images excludes --image"}});
}

void TestEvaluateImage::Wrong_isRefused_andNamed()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, culprit);
    const Outcome outcome =
        runProgram(QStringList{"evaluate", "--checkpoint", at("run")} + arguments);
    QVERIFY(outcome.isExited && outcome.exitCode != 0);
    QVERIFY2(outcome.err.contains(culprit), outcome.text().constData());
}

LOCKSTEP_TEST(TestEvaluateImage)
#include "test_evaluate_image.moc"
