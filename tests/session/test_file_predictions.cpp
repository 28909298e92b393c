// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "dataset/colour_files.h"
#include "session/evaluation/classification_csv.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path& file)
{
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<fs::path> filesOf(const fs::path& place)
{
    DataAccount ignored;
    return imageFilesOf(std::vector{place}, ignored);
}

} // namespace

/// Many image files at once, held against one after the other.
class TestFilePredictions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Files_areThoseOfTheFolderAndBelow();
    void Files_areChosenAsATrainingDoes();
    void Places_withoutImages_areRefused();
    void Predictions_areThoseOfEachFileAlone();
    void Csv_hasTheNumbersAndTheReasons();
    void Csv_thatCantBeWritten_isNamed();
    void Cancelled_asksNoMore();

private:
    void write(const std::string& name, const std::string& content) const
    {
        fs::create_directories((m_pictures / name).parent_path());
        std::ofstream(m_pictures / name, std::ios::binary) << content;
    }
    [[nodiscard]] std::vector<FilePrediction> predicted(int threads) const
    {
        return predictFiles({m_run}, filesOf(m_pictures), threads, {}, {});
    }

    TemporaryFolder m_folder;
    fs::path m_run = m_folder / "run";
    fs::path m_pictures = m_folder / "pictures";
};

void TestFilePredictions::initTestCase()
{
    RunRequest request;
    request.config = smallConfig(3);
    request.folder = m_run;
    Witness witness;
    trainWhole(request, witness);
    for (int i = 0; i < 6; ++i) {
        const auto red = static_cast<std::uint8_t>(40 * i);
        write(fmt::format("p{}.jpg", i), jpegOf(flatImage(30, 40, {red, 90, 60})));
    }
    write("below/deep, deeper/Q.JPEG", jpegOf(flatImage(50, 20, {9, 200, 60})));
    write("p3x.png", "dear diary");
    write("notes.txt", "not meant");
}

void TestFilePredictions::Files_areThoseOfTheFolderAndBelow()
{
    std::vector<std::string> names;
    for (const fs::path& file : filesOf(m_pictures)) {
        names.push_back(fs::relative(file, m_pictures).string());
    }
    QCOMPARE(
        names, (std::vector<std::string>{
                   "below/deep, deeper/Q.JPEG", "p0.jpg", "p1.jpg", "p2.jpg", "p3.jpg", "p3x.png",
                   "p4.jpg", "p5.jpg"}));
    const fs::path asItIs = m_pictures / "notes.txt"; // named by a person
    QCOMPARE(filesOf(asItIs), std::vector{asItIs});
}

void TestFilePredictions::Files_areChosenAsATrainingDoes()
{
    const TemporaryFolder folder;
    const std::string picture = jpegOf(flatImage(30, 40, {40, 90, 60}));
    for (const char* name :
         {"photos/ok.jpg", "photos/without", "photos/._ok.jpg", "photos/__MACOSX/a.jpg",
          "photos/.ipynb_checkpoints/b.jpg", "photos/@eaDir/c.jpg", "elsewhere/e.jpg"}) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << picture;
    }
    std::ofstream(folder / "photos/x.webp") << "RIFF";
    fs::create_symlink("../elsewhere", folder / "photos/linked");
    fs::create_symlink("gone.jpg", folder / "photos/z.jpg");
    fs::create_symlink("..", folder / "photos/up");
    DataAccount account;
    std::vector<std::string> names;
    for (const fs::path& file : imageFilesOf(std::vector{folder / "photos"}, account)) {
        names.push_back(file.lexically_relative(folder / "photos").string());
    }
    QCOMPARE(names, (std::vector<std::string>{"linked/e.jpg", "ok.jpg", "without"}));
    QCOMPARE(account.leftOut(), 7); // four of systems, .webp, two links
}

void TestFilePredictions::Places_withoutImages_areRefused()
{
    fs::create_directories(m_folder / "empty");
    const auto failure = [&](const char* name) {
        return failureOf([&] { (void)filesOf(m_folder / name); });
    };
    QVERIFY(failure("empty").contains(QStringLiteral("has no images")));
    QVERIFY(failure("missing").contains(QStringLiteral("missing: is not there")));
}

void TestFilePredictions::Predictions_areThoseOfEachFileAlone()
{
    ImagePredictor alone({m_run});
    const auto several = predicted(3);
    QCOMPARE(several.size(), std::size_t{8});
    for (const FilePrediction& of : several) {
        if (of.file.filename() == "p3x.png") {
            QVERIFY(QString::fromStdString(of.problem).contains("p3x.png: is not a JPEG"));
            QVERIFY(of.classes.empty());
            continue;
        }
        QVERIFY(of.problem.empty());
        const auto expected = likeliestClasses(alone.imageFile(of.file), 5);
        QCOMPARE(of.classes.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(of.classes[i].name, expected[i].name);
            QVERIFY(of.classes[i].probability == expected[i].probability);
        }
    }
}

void TestFilePredictions::Csv_hasTheNumbersAndTheReasons()
{
    const auto predictions = predicted(1);
    const fs::path file = m_folder / "predictions.csv";
    writePredictions(predictions, file);
    writePredictions(predicted(2), m_folder / "by two.csv");
    QCOMPARE(textOf(m_folder / "by two.csv"), textOf(file));
    std::stringstream lines(textOf(file));
    std::string line;
    std::getline(lines, line);
    QCOMPARE(
        line, std::string("path,prediction,probability,prediction_2,probability_2,prediction_3,"
                          "probability_3,prediction_4,probability_4,prediction_5,probability_5,"
                          "problem"));
    for (const FilePrediction& of : predictions) {
        std::getline(lines, line);
        const bool hasComma = of.file.string().find(',') != std::string::npos;
        std::string expected = hasComma ? '"' + of.file.string() + '"' : of.file.string();
        for (const ClassProbability& one : of.classes) {
            expected += fmt::format(",{},{}", one.name, static_cast<float>(one.probability));
        }
        if (of.problem.empty()) {
            QCOMPARE(line, expected + ',');
        } else {
            QVERIFY(line.starts_with(expected + ",,,,,,,,,,,"));
            QVERIFY(line.find("is not a JPEG") != std::string::npos);
        }
    }
    QVERIFY(!std::getline(lines, line));
}

void TestFilePredictions::Csv_thatCantBeWritten_isNamed()
{
    QVERIFY(failureOf([&] {
                writePredictions({}, m_folder / "missing" / "predictions.csv");
            }).contains(QStringLiteral("missing/predictions.csv")));
}

void TestFilePredictions::Cancelled_asksNoMore()
{
    const auto files = filesOf(m_pictures);
    std::size_t told = 0;
    bool isInOrder = true;
    try {
        (void)predictFiles({m_run}, files, 1, {}, [&](const FilePrediction& of, std::size_t done) {
            isInOrder = isInOrder && of.file == files[told] && done == told + 1;
            return ++told < 3;
        });
        QFAIL("it went on");
    } catch (const Error& error) {
        QVERIFY(error.code() == ErrorCode::Cancelled);
    }
    QCOMPARE(told, std::size_t{3});
    QVERIFY(isInOrder);
}

LOCKSTEP_TEST(TestFilePredictions)
#include "test_file_predictions.moc"
