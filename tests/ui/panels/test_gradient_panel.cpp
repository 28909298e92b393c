// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/gradient_panel.h"
#include "plots/charts/line_plot.h"
#include "support/gradients.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "ui/session_witness.h"
#include "widgets/forms/note_label.h"

#include <QtWidgets>

#include <cmath>
#include <random>

namespace lockstep::ui {
namespace {

constexpr std::int64_t kBatch = 8;

RunConfig measuredConfig(std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.towers = 4;
    config.batchPerTower = kBatch;
    config.gradientsEverySteps = 3;
    return config;
}

/// Noise scales of so many examples, exactly: towers of batch 8 around a gradient of norm 1.
GradientNoiseScale scaleOf(double examples)
{
    // |tower|^2 - |mean|^2 = S (1/B - 1/2B), |mean|^2 = |G|^2 + S / 2B.
    const double mean = 1.0 + examples / (2.0 * kBatch);
    const double tower = mean + examples / (2.0 * kBatch);
    ParameterGradientRecord parameter{"a.weight", mean, 1.0, 1.0, {{tower, mean}, {tower, mean}}};
    GradientNoiseScale scale;
    scale.add({0, kBatch, {parameter}});
    return scale;
}

/// Records of four towers, the second of which pulls into a direction of its own.
std::vector<GradientRecord> poisonedRecords()
{
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<GradientRecord> records;
    for (int step = 0; step < 20; ++step) {
        test::TowerGradients gradients(4, std::vector<double>(300));
        for (std::size_t tower = 0; tower < 4; ++tower) {
            for (std::size_t i = 0; i < 300; ++i) {
                const double common = tower == 1 && i % 2 == 0 ? -1.0 : 1.0;
                gradients[tower][i] = common + 0.7 * normal(random);
            }
        }
        records.push_back({1000 + step, kBatch, {test::measured("conv1.weight", gradients)}});
    }
    return records;
}

/// Whether a colour stands in the picture of a widget.
bool showsColor(QWidget& widget, const QColor& color)
{
    const QImage picture = widget.grab().toImage();
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixelColor(x, y) == color) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

/// A panel on a run, as the window has it.
struct GradientScene
{
    GradientScene()
    {
        QApplication::setPalette(lightPalette());
        panel.resize(900, 200);
        panel.show();
        panel.setInSight(true);
    }

    [[nodiscard]] const QAbstractItemModel& table() const
    {
        return *panel.findChild<QTableView*>("gradients_table")->model();
    }
    [[nodiscard]] QString note(const char* name) const
    {
        const auto* const label = panel.findChild<NoteLabel*>(name);
        return label->isVisible() ? label->note() : QString();
    }
    [[nodiscard]] QString summary() const { return note("gradients_summary"); }
    /// Every cell, row by row.
    [[nodiscard]] QStringList cells() const
    {
        QStringList all;
        for (int row = 0; row < table().rowCount(); ++row) {
            for (int column = 0; column < table().columnCount(); ++column) {
                all.append(table().index(row, column).data().toString());
            }
        }
        return all;
    }

    SessionWitness witness;
    LiveRun run{witness.controller};
    GradientPanel panel{run};
};

/// The dock of the gradients, with real trainings.
class TestGradientPanel : public QObject
{
    Q_OBJECT

private slots:
    void Panel_ofATraining_showsTheLastMeasuredStep()
    {
        GradientScene scene;
        QVERIFY(!scene.summary().isEmpty());
        scene.witness.train(measuredConfig(20));
        const auto stored = storedGradients(scene.witness.run());
        QCOMPARE(stored.size(), std::size_t{7});
        QTRY_VERIFY(scene.summary().startsWith("Step 18."));
        const GradientAgreement agreement = gradientAgreement(stored.back());
        QCOMPARE(scene.table().rowCount(), 1 + static_cast<int>(agreement.layers.size()));
        QCOMPARE(scene.table().columnCount(), GradientTableModel::FirstTower + 4);
        const auto number = [&](int row, int column) {
            return scene.table().index(row, column).data(ValueRole).toDouble();
        };
        for (int tower = 0; tower < 4; ++tower) {
            const auto index = static_cast<std::size_t>(tower);
            const int column = GradientTableModel::FirstTower + tower;
            QCOMPARE(number(0, column), agreement.whole.cosines[index]);
            QCOMPARE(number(2, column), agreement.layers[1].cosines[index]);
        }
        QCOMPARE(number(1, GradientTableModel::UpdateToWeight), agreement.layers[0].updateToWeight);
        const auto* const chart = scene.panel.findChild<LinePlot*>();
        QVERIFY(chart->isVisible());
        QCOMPARE(chart->curves().size(), std::size_t{4});
        for (std::size_t tower = 0; tower < 4; ++tower) { // one point a measured step
            QCOMPARE(chart->curves()[tower].points.size(), stored.size());
            QCOMPARE(chart->curves()[tower].points.back().y(), agreement.whole.cosines[tower]);
        }
        QCOMPARE(scene.panel.figures().history().points().size(), stored.size());
    }

    void Panel_ofAStoredRun_showsTheSame()
    {
        GradientScene trained;
        trained.witness.train(measuredConfig(20));
        QTRY_VERIFY(trained.summary().startsWith("Step 18."));
        GradientScene opened;
        opened.witness.controller.open(trained.witness.run());
        QTRY_COMPARE(opened.cells(), trained.cells());
        QCOMPARE(opened.summary(), trained.summary());
        opened.witness.controller.close();
        opened.run.clear();
        QCOMPARE(opened.table().rowCount(), 0);
    }

    void Panel_ofAResumedRun_showsItsPast()
    {
        GradientScene scene;
        auto& witness = scene.witness;
        scene.witness.train(measuredConfig(10));
        scene.witness.start(measuredConfig(20), true);
        QTRY_VERIFY(scene.panel.figures().step() == 18);
        WAIT_FOR(Finished);
        const auto& points = scene.panel.figures().history().points();
        QCOMPARE(points.size(), std::size_t{7});
        QCOMPARE(points.front().firstStep, 0);
    }

    void Panel_outOfSight_collectsAndShowsLater()
    {
        GradientScene scene;
        scene.panel.setInSight(false);
        emit scene.run.feed().gradientsArrived(poisonedRecords());
        QTest::qWait(700); // longer than between two looks
        QCOMPARE(scene.table().rowCount(), 0);
        QCOMPARE(scene.panel.figures().step(), 1019);
        scene.panel.setInSight(true);
        QCOMPARE(scene.table().rowCount(), 2);
    }

    void Panel_withoutMeasurements_saysWhy()
    {
        RunConfig config;
        QVERIFY(unmeasuredText(config).contains("every 10 steps"));
        config.gradientsEverySteps = 0;
        QVERIFY(unmeasuredText(config).contains("never"));
        GradientScene scene;
        config = measuredConfig(5);
        config.gradientsEverySteps = 0;
        scene.witness.train(config);
        QVERIFY(scene.summary().contains("never"));
        QCOMPARE(scene.table().rowCount(), 0);
    }

    void Panel_inBothPalettes_hasTheTowersColors()
    {
        GradientScene scene;
        emit scene.run.feed().gradientsArrived(poisonedRecords());
        QTRY_VERIFY(scene.table().rowCount() > 0);
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            QApplication::setPalette(palette);
            QCoreApplication::processEvents();
            for (int tower = 0; tower < 4; ++tower) {
                QVERIFY2(
                    showsColor(scene.panel, towerColor(tower, themeColors(palette))),
                    qPrintable(QString::number(tower)));
            }
        }
    }

    void NoiseScale_inWords_data()
    {
        QTest::addColumn<double>("examples");
        QTest::addColumn<QString>("words");
        QTest::newRow("none") << 0.0 << "Do they get the same data?";
        QTest::newRow("small") << 2.0 << "already about 32 times larger";
        QTest::newRow("about as large") << 60.0 << "about as large";
        QTest::newRow("large")
            << 654.0 << "about 650 examples. The global batch of 64 could be about 10 times larger";
    }

    void NoiseScale_inWords()
    {
        QFETCH(double, examples);
        QFETCH(QString, words);
        const GradientNoiseScale scale = scaleOf(examples);
        QVERIFY(std::abs(scale.examples().value() - examples) < 1e-9);
        const QString text = noiseScaleText(scale, 64);
        QVERIFY2(text.contains(words), qPrintable(text));
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestGradientPanel)
#include "test_gradient_panel.moc"
