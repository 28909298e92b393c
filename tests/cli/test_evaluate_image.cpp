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

/// `evaluate --image` and `predict`.
class TestEvaluateImage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Images_areScored_andNothingIsWritten();
    void Predicted_asOneAlone_andTheRestGoesOn();
    void Predicted_noneOfThem_isAFailure();
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
    QVERIFY(text.out.contains("of 8 × 4 cells"));
    QCOMPARE(filesBelow(m_folder.path()), before);
}

void TestEvaluateImage::Predicted_asOneAlone_andTheRestGoesOn()
{
    const fs::path folder = m_folder / "parts";
    fs::create_directories(folder);
    fs::copy_file(m_folder / "notes.png", folder / "a.png");
    fs::copy_file(m_folder / "part.bmp", folder / "b.bmp");
    const QStringList arguments{"predict", toText(folder), "--checkpoint", at("run")};
    const Outcome outcome = runProgram(arguments + QStringList{"--csv", at("scores.csv")});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(outcome.out.isEmpty());
    QVERIFY2(outcome.err.contains("a.png: is not a JPEG, PNG or BMP"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("1 of 2 images could not be"), outcome.err.constData());
    QFile file(at("scores.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 1 + 2 + 1);
    QCOMPARE(lines[0], "path,score,peak,peak_row,peak_column,mask_height,mask_width,problem");
    QVERIFY(lines[1].contains("parts/a.png,,,,,,,") && lines[1].contains("is not a JPEG"));
    const Outcome alone = runProgram(
        {"evaluate", "--checkpoint", at("run"), "--image", toText(folder / "b.bmp"), "--json"});
    const QJsonObject image = alone.events().front()["images"].toArray()[0].toObject();
    const QList<QByteArray> fields = lines[2].split(',');
    QCOMPARE(fields[1].toDouble(), image["score"].toDouble());
    QCOMPARE(fields[2].toDouble(), image["peak"].toDouble());
    QCOMPARE(fields[5].toInt(), image["mask_height"].toInt());
    const Outcome text = runProgram(arguments);
    QCOMPARE(text.out.count('\n'), 1);
    QVERIFY(text.out.contains("b.bmp  mask peak"));
    QVERIFY(!fs::exists(m_folder / "scores.csv.tmp"));
}

void TestEvaluateImage::Predicted_noneOfThem_isAFailure()
{
    const Outcome outcome = runProgram({"predict", at("notes.png"), "--checkpoint", at("run")});
    QVERIFY2(outcome.isExited && outcome.exitCode == 1, outcome.text().constData());
    QVERIFY2(outcome.err.contains("notes.png: is not"), outcome.err.constData());
    const Outcome missing = runProgram({"predict", at("missing"), "--checkpoint", at("run")});
    QVERIFY2(missing.err.contains("missing: is not there"), missing.err.constData());
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
