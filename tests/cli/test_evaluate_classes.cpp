// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/lockstep_test.h"
#include "support/small_pictures.h"

#include <QJsonArray>

#include <fstream>
#include <map>
#include <sstream>

using namespace lockstep::test;

namespace {

QList<QStringList> readCsv(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    QList<QStringList> rows;
    for (const QString& line : QString::fromStdString(text.str()).split('\n', Qt::SkipEmptyParts)) {
        rows.append(line.split(','));
    }
    return rows;
}

} // namespace

/// `evaluate` of networks that classify.
class TestEvaluateClasses : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Json_addsUp();
    void Confusion_isTheMatrixOfTheImages();
    void Images_areListed_theMostWrongFirst();
    void Unwritable_isNamed_afterTheResult();

private:
    [[nodiscard]] QString at(const char* name) const { return toText(m_folder / name); }
    [[nodiscard]] Outcome evaluate(const QStringList& more) const
    {
        return runProgram(
            QStringList{"evaluate", "--checkpoint", at("run"), "--device", "cpu"} + more);
    }

    TemporaryFolder m_folder;
};

void TestEvaluateClasses::initTestCase()
{
    const Outcome outcome = runProgram(smallTraining(smallPictures(), m_folder / "run", 3));
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
}

void TestEvaluateClasses::Json_addsUp()
{
    const Outcome outcome = evaluate({"--json", "--images"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject json = outcome.events().first();
    const int examples = json["examples"].toInt();
    QVERIFY(json["top5"].toDouble() >= json["accuracy"].toDouble());
    QCOMPARE(json["in_top_five"].toInt(), qRound(json["top5"].toDouble() * examples));
    QCOMPARE(json["classes"].toArray().size(), 10);
    int images = 0;
    int correct = 0;
    double recalls = 0.0;
    int there = 0;
    for (const QJsonValue& one : json["classes"].toArray()) {
        const int of = one["images"].toInt();
        images += of;
        correct += one["correct"].toInt();
        there += of > 0 ? 1 : 0;
        recalls += of > 0 ? one["correct"].toDouble() / of : 0.0;
    }
    QCOMPARE(images, examples);
    QCOMPARE(correct, json["correct"].toInt());
    QVERIFY(qAbs(json["macro_recall"].toDouble() - recalls / there) < 1e-12);
    int inCells = 0;
    std::map<int, int> predictions;
    for (const QJsonValue& cell : json["confusion"].toArray()) {
        inCells += cell[2].toInt();
        predictions[cell[1].toInt()] += cell[2].toInt();
    }
    QCOMPARE(inCells, examples);
    for (const QJsonValue& one : json["classes"].toArray()) {
        const int predicted = predictions[one["label"].toInt()];
        QCOMPARE(one["predicted"].toInt(), predicted);
        QCOMPARE(one["precision"].isNull(), predicted == 0);
        QVERIFY(
            predicted == 0
            || qAbs(one["precision"].toDouble() - one["correct"].toDouble() / predicted) < 1e-12);
        QCOMPARE(one["recall"].toDouble(), one["correct"].toDouble() / one["images"].toDouble());
    }
    QCOMPARE(json["images"].toArray().size(), examples);
    int inTopFive = 0;
    for (const QJsonValue& image : json["images"].toArray()) {
        inTopFive += image["rank"].toInt() < 5 ? 1 : 0;
    }
    QCOMPARE(inTopFive, json["in_top_five"].toInt());
    QVERIFY(!evaluate({"--json"}).events().first().contains("images"));
}

void TestEvaluateClasses::Confusion_isTheMatrixOfTheImages()
{
    const Outcome outcome =
        evaluate({"--confusion", at("confusion.csv"), "--images", at("images.csv")});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QStringList> images = readCsv(m_folder / "images.csv");
    QCOMPARE(
        images.first(), (QStringList{
                            "example", "name", "label", "prediction", "probability",
                            "label_probability", "rank", "loss"}));
    std::map<std::pair<QString, QString>, int> counts;
    for (int i = 1; i < images.size(); ++i) {
        QCOMPARE(images[i][0].toInt(), i - 1);
        ++counts[{images[i][2], images[i][3]}];
    }
    const QList<QStringList> matrix = readCsv(m_folder / "confusion.csv");
    QCOMPARE(matrix.size(), 11);
    QCOMPARE(matrix.first().mid(0, 3), (QStringList{"label", "airplane", "automobile"}));
    int sum = 0;
    for (int row = 1; row < matrix.size(); ++row) {
        QCOMPARE(matrix[row].size(), 11);
        QCOMPARE(matrix[row][0], matrix[0][row]);
        for (int column = 1; column < matrix[row].size(); ++column) {
            QCOMPARE(matrix[row][column].toInt(), (counts[{matrix[row][0], matrix[0][column]}]));
            sum += matrix[row][column].toInt();
        }
    }
    QCOMPARE(sum, images.size() - 1);
    QVERIFY(!outcome.out.contains("\nloss ")); // they are in the file
}

void TestEvaluateClasses::Images_areListed_theMostWrongFirst()
{
    const Outcome outcome = evaluate({"--images"});
    QCOMPARE(outcome.exitCode, 0);
    double before = 1e300;
    int lines = 0;
    for (const QByteArray& line : outcome.out.split('\n')) {
        if (line.startsWith("loss ")) {
            const double loss = line.mid(5).split(' ').first().toDouble();
            QVERIFY(loss <= before);
            before = loss;
            ++lines;
        }
    }
    QCOMPARE(lines, evaluate({"--json"}).events().first()["examples"].toInt());
}

void TestEvaluateClasses::Unwritable_isNamed_afterTheResult()
{
    const Outcome outcome = evaluate({"--confusion", at("missing/confusion.csv")});
    QVERIFY(outcome.isExited && outcome.exitCode != 0);
    QVERIFY2(outcome.out.contains("macro recall"), outcome.text().constData());
    QVERIFY2(outcome.err.contains("missing/confusion.csv"), outcome.text().constData());
}

LOCKSTEP_TEST(TestEvaluateClasses)
#include "test_evaluate_classes.moc"
