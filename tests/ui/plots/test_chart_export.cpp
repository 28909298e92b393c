// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/series_store.h"
#include "gather/rank_scene.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "ui/several_runs.h"

#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// Runs the real dashboard where there is no display, no session, and nobody says how to draw.
test::Outcome runLockstep(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* const name :
         {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"}) {
        environment.remove(name);
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(LOCKSTEP_PROGRAM, arguments);
    const bool isDone = process.waitForFinished(60'000);
    return {
        isDone && process.exitStatus() == QProcess::NormalExit, process.exitCode(),
        process.readAllStandardOutput(), process.readAllStandardError()};
}

/// The points of the line of this width in a drawing, in its own pixels; the width stands out.
QList<QPointF> lineIn(const QString& file, const QString& width)
{
    QFile drawing(file);
    if (!drawing.open(QIODevice::ReadOnly)) {
        return {};
    }
    QXmlStreamReader xml(&drawing);
    QList<QPointF> points;
    bool isIts = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("g")) {
            isIts = xml.attributes().value("stroke-width") == width;
        } else if (isIts && xml.name() == QLatin1String("polyline")) {
            const QString text = xml.attributes().value("points").toString();
            for (const QString& point : text.split(' ', Qt::SkipEmptyParts)) {
                const QPointF at(
                    point.section(',', 0, 0).toDouble(), point.section(',', 1, 1).toDouble());
                if (points.isEmpty() || points.back() != at) { // each stroke begins where one ended
                    points.append(at);
                }
            }
        }
    }
    return points;
}

/// A column of a table.
std::vector<double> columnIn(const QString& file, const QString& name)
{
    QFile table(file);
    if (!table.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QStringList lines = QString::fromUtf8(table.readAll()).split('\n', Qt::SkipEmptyParts);
    const qsizetype column = lines.value(0).split(',').indexOf(name);
    std::vector<double> values;
    for (const QString& line : lines.mid(1)) {
        values.push_back(line.split(',').value(column).toDouble());
    }
    return values;
}

qsizetype colorsOf(const QImage& picture)
{
    QSet<QRgb> colors;
    for (int y = 0; y < picture.height(); y += 2) {
        for (int x = 0; x < picture.width(); x += 2) {
            colors.insert(picture.pixel(x, y));
        }
    }
    return colors.size();
}

} // namespace

/// lockstep --export, as a person would call it on a machine without a screen.
class TestChartExport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_folder.emplace();
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_folder->path().string()));
        m_run = trainRun("run", 30);
    }

    void Export_png_isAPictureOfTheSizeAndTheme()
    {
        const test::Outcome plain =
            runLockstep({"--export", test::toText(m_run), "--png", file("a.png")});
        QVERIFY2(plain.exitCode == 0, plain.text());
        QCOMPARE(plain.err, QByteArray());
        QCOMPARE(plain.out, file("a.png").toUtf8() + ": 30 steps of run\n");
        const QImage light(file("a.png"));
        QCOMPARE(light.size(), QSize(1440, 900));
        QVERIFY(light.pixelColor(1, 1).lightnessF() > 0.8);
        QVERIFY(colorsOf(light) > 50);

        const test::Outcome chosen = runLockstep(
            {"--export", test::toText(m_run), "--png", file("b.png"), "--theme", "dark", "--size",
             "800x610", "--scale", "2"});
        QVERIFY2(chosen.exitCode == 0, chosen.text());
        const QImage dark(file("b.png"));
        QCOMPARE(dark.size(), QSize(1600, 1220));
        QVERIFY(dark.pixelColor(1, 1).lightnessF() < 0.3);
        QVERIFY(colorsOf(dark) > 50);
    }

    /// Named as a shell completes it.
    void Export_ofRanksThatNobodyGathered_gathersThem()
    {
        const fs::path run = *m_folder / "recorded";
        record(run, 5);
        const test::Outcome outcome =
            runLockstep({"--export", test::toText(run) + '/', "--png", file("ranks.png")});
        QVERIFY2(outcome.exitCode == 0, outcome.text());
        QCOMPARE(outcome.out, file("ranks.png").toUtf8() + ": 5 steps of recorded\n");
    }

    void Export_svg_drawsWhatThePngShows()
    {
        const test::Outcome both = runLockstep(
            {"--export", test::toText(m_run), "--png", file("a.png"), "--svg", file("a.svg")});
        QVERIFY2(both.exitCode == 0, both.text());
        QSvgRenderer drawing(file("a.svg"));
        QVERIFY(drawing.isValid());
        QCOMPARE(drawing.viewBox().size(), QSize(1440, 900));
        QFile text(file("a.svg"));
        QVERIFY(text.open(QIODevice::ReadOnly));
        QVERIFY(text.readAll().contains(">Throughput<")); // texts are texts
        const QImage picture(file("a.png"));
        QImage drawn(picture.size(), QImage::Format_RGB32);
        QPainter painter(&drawn);
        drawing.render(&painter);
        painter.end();
        // Alike except for the edges of letters and lines.
        qint64 different = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                const int change = qAbs(qGray(picture.pixel(x, y)) - qGray(drawn.pixel(x, y)));
                different += change > 60 ? 1 : 0;
            }
        }
        QVERIFY2(different < 1440 * 900 / 50, qPrintable(QString::number(different)));
    }

    // Picture and table tell the same: the bold line is the table's mean loss, smoothed, at every
    // step, from its first one to its last.
    void Export_svgAndCsv_agreeWithinAPixel()
    {
        const fs::path run = *m_folder / "falling";
        record(run, 120);
        const test::Outcome drawn =
            runLockstep({"--export", test::toText(run), "--svg", file("both.svg")});
        QVERIFY2(drawn.exitCode == 0, drawn.text());
        const test::Outcome told =
            test::runProgram({"export", test::toText(run), "--csv", file("both.csv")});
        QVERIFY2(told.exitCode == 0, told.text());
        const std::vector<double> losses = columnIn(file("both.csv"), "loss_mean");
        QCOMPARE(losses.size(), std::size_t{120});
        Series mean(Smoothing::Line);
        mean.setSmoothing(0.9);
        for (const double loss : losses) {
            mean.append(static_cast<float>(loss));
        }
        const QList<QPointF> line = lineIn(file("both.svg"), "3.4");
        QCOMPARE(line.size(), 120);
        // Both axes are linear: what they are follows from two steps that differ most.
        std::int64_t low = 0;
        std::int64_t high = 0;
        for (std::int64_t row = 0; row < 120; ++row) {
            low = mean.smoothedAt(row) < mean.smoothedAt(low) ? row : low;
            high = mean.smoothedAt(row) > mean.smoothedAt(high) ? row : high;
        }
        const double perLoss =
            (line[low].y() - line[high].y()) / (mean.smoothedAt(low) - mean.smoothedAt(high));
        const double perStep = (line[119].x() - line[0].x()) / 119.0;
        QVERIFY(perLoss < 0.0 && line[low].y() - line[high].y() > 50.0);
        for (std::int64_t row = 0; row < 120; ++row) {
            const double y =
                line[high].y() + perLoss * (mean.smoothedAt(row) - mean.smoothedAt(high));
            QVERIFY2(std::abs(line[row].y() - y) < 1.0, qPrintable(QString::number(row)));
            const double x = line[0].x() + perStep * static_cast<double>(row);
            QVERIFY2(std::abs(line[row].x() - x) < 1.0, qPrintable(QString::number(row)));
        }
        // At both ends it lies among the table's figures there.
        for (const std::size_t first : {std::size_t{0}, std::size_t{110}}) {
            const auto begin = losses.begin() + static_cast<std::ptrdiff_t>(first);
            const auto [least, greatest] = std::minmax_element(begin, begin + 10);
            const double end = mean.smoothedAt(first == 0 ? 0 : 119);
            QVERIFY(end >= *least - 1e-6 && end <= *greatest + 1e-6);
        }
    }

    void Export_failing_saysWhyInALine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const QString exported = "--export";
        const QString png = "--png";
        QTest::newRow("no run") << QStringList{exported, "nowhere", png, "a.png"} << "nowhere";
        QTest::newRow("no folder")
            << QStringList{exported, "RUN", png, "no/where.png"} << "no/where.png";
        QTest::newRow("other format") << QStringList{exported, "RUN", png, "a.jpg"} << "a.jpg";
        QTest::newRow("no file") << QStringList{exported, "RUN"} << "--png";
        QTest::newRow("size") << QStringList{exported, "RUN", png, "a.png", "--size", "12"}
                              << "--size 12";
        QTest::newRow("scale") << QStringList{exported, "RUN", png, "a.png", "--scale", "0"}
                               << "--scale 0";
        QTest::newRow("theme") << QStringList{exported, "RUN", png, "a.png", "--theme", "blue"}
                               << "blue";
    }

    void Export_failing_saysWhyInALine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(const QString, named);
        arguments.replaceInStrings("RUN", test::toText(m_run));
        QDir::setCurrent(test::toText(m_folder->path()));
        const test::Outcome outcome = runLockstep(arguments);
        QVERIFY(outcome.isExited);
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.out, QByteArray());
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY2(outcome.err.contains(named.toUtf8()), outcome.err);
    }

    void Export_failing_leavesTheOldPicture()
    {
        const fs::path folder = *m_folder / "pictures";
        fs::create_directory(folder);
        std::ofstream(folder / "a.png") << "of before";
        const fs::path damaged = *m_folder / "damaged";
        fs::copy(m_run, damaged, fs::copy_options::recursive);
        std::ofstream(damaged / "run.db") << "no store";
        const test::Outcome outcome = runLockstep(
            {"--export", test::toText(damaged), "--png", test::toText(folder / "a.png")});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("run.db"), outcome.err);
        QFile old(test::toText(folder / "a.png"));
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("of before"));
        QCOMPARE(QDir(test::toText(folder)).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void Window_withoutADisplay_saysWhatNeedsNone()
    {
        const test::Outcome window = runLockstep({test::toText(m_run)});
        QVERIFY(window.isExited);
        QCOMPARE(window.exitCode, 1);
        QCOMPARE(window.err.count('\n'), 1);
        QVERIFY2(
            window.err.contains("--export") && window.err.contains("lockstep-train"), window.err);
        const test::Outcome help = runLockstep({"--help"});
        QVERIFY2(help.isExited && help.exitCode == 0, help.text());
        QVERIFY2(help.out.contains("--export"), help.text());
    }

private:
    /// Two ranks whose losses fall, each in its own way; nobody has gathered what they told.
    static void record(const fs::path& run, std::int64_t steps)
    {
        for (int rank = 0; rank < 2; ++rank) {
            std::ofstream written(test::rankFileOf(run, rank), std::ios::binary);
            written << test::startFrame(rank, 2);
            for (std::int64_t step = 0; step < steps; ++step) {
                const auto x = static_cast<double>(step);
                auto told = test::stepOf(step, 50 * step, {}, 40);
                told.loss = 0.6 + 1.8 * std::exp(-x / 40.0) + 0.05 * std::sin((2.0 + rank) * x);
                written << test::stepFrame(told);
            }
            written << test::endFrame();
        }
    }

    [[nodiscard]] QString file(const char* name) const { return test::toText(*m_folder / name); }

    std::optional<test::TemporaryFolder> m_folder;
    fs::path m_run;
};
LOCKSTEP_TEST(TestChartExport)
#include "test_chart_export.moc"
