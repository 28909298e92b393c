// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/layer_table_model.h"
#include "panels/devices/devices_panel.h"
#include "panels/layers/weights_panel.h"
#include "plots/cards/histogram_plot.h"
#include "plots/charts/line_plot.h"
#include "ui/headless_run.h"
#include "ui/window_witness.h"
#include "widgets/pictures/crisp_pictures.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// Counts how often a widget is painted.
class PaintWitness : public QObject
{
public:
    explicit PaintWitness(QWidget& widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
    int paints = 0;
};

} // namespace

/// The docks "Weights" and "Devices", with real trainings.
class TestWindowLayers : public WindowTest
{
    Q_OBJECT

private slots:
    void Weights_ofARunOfOnesOwn_growWithIt()
    {
        show("weights_dock");
        m_scene->startAtOnce(recorded(kEndless));
        QTRY_VERIFY(histograms("histogram_0").size() >= 2);
        const std::size_t before = histograms("histogram_0").size();
        QTRY_VERIFY(histograms("histogram_0").size() > before);
        const auto* const layers = find<QTableView>("layers_table")->model();
        QCOMPARE(layers->rowCount(), 7); // with input and total
        QCOMPARE(layers->index(1, LayerTableModel::Name).data().toString(), "conv1");
        QCOMPARE(find<QTableView>("layers_table")->currentIndex().row(), 1);
        QCOMPARE(histograms("histogram_1").back()->count, 16.0 * 3 * 5 * 5);
        find<QTableView>("layers_table")->setCurrentIndex(layers->index(5, 0));
        const auto isOfLogits = [&] {
            return !histograms("histogram_0").empty()
                   && histograms("histogram_0").back()->count == 10.0 * 32 * 3 * 3;
        };
        QTRY_VERIFY(isOfLogits());
        find<QTableView>("layers_table")->setCurrentIndex(layers->index(2, 0)); // a pool
        QTRY_VERIFY(histograms("histogram_0").empty());
        stop();
    }

    void Weights_ofAFollowedRun_growWithIt()
    {
        show("weights_dock");
        HeadlessRun run(
            m_scene->pictures(), m_scene->folder() / "headless", 1'000'000,
            {"--set", "events.every_steps=10"});
        QVERIFY(run.awaitSteps(1));
        window().openCommands().openRun(run.folder());
        QTRY_VERIFY(!histograms("histogram_2").empty());
        const std::size_t before = histograms("histogram_2").size();
        QTRY_VERIFY(histograms("histogram_2").size() > before);
        show("devices_dock");
        QTRY_VERIFY(!find<LinePlot>("device_memory")->curves().empty());
        run.killHard();
        QTRY_COMPARE(m_scene->state(), SessionController::State::Idle);
    }

    void Weights_ofAStoredRun_areThere()
    {
        m_scene->startAtOnce(recorded(30));
        WAIT_FOR_STATE(Finished);
        const auto run = m_scene->run().folder();
        m_scene->open();
        show("weights_dock");
        window().openCommands().openRun(run);
        QTRY_VERIFY(!histograms("histogram_0").empty());
        EventIndex index(RunFolder::eventsOf(run));
        index.update();
        QCOMPARE(histograms("histogram_0").size(), index.places().size());
        find<QTabBar>("weights_tabs")->setCurrentIndex(2);
        const auto* const sparsity = find<LinePlot>("sparsity_plot");
        QTRY_VERIFY(sparsity->isVisible());
        QCOMPARE(sparsity->curves().size(), std::size_t{3});
        actions().newRun->trigger();
    }

    void Weights_filters_followTheSlider()
    {
        show("weights_dock");
        m_scene->startAtOnce(recorded(kEndless));
        auto* const slider = find<QSlider>("filters_step");
        const auto* const view = find<TileView>("filters_view");
        QTRY_VERIFY(slider->maximum() >= 2);
        find<QTabBar>("weights_tabs")->setCurrentIndex(1);
        QTRY_VERIFY(view->isVisible() && !view->tiles().empty());
        stop();
        QTRY_COMPARE(slider->value(), slider->maximum());
        EventIndex index(RunFolder::eventsOf(m_scene->run().folder()));
        index.update();
        QTRY_COMPARE(slider->maximum(), static_cast<int>(index.places().size()) - 1);
        const auto recordedAt = [&](std::size_t place) {
            QImage sheet;
            for (const EventValue& value : index.read(index.places()[place]).values) {
                if (value.tag == "conv1/filters") {
                    sheet.loadFromData(
                        QByteArray::fromStdString(std::get<PngImage>(value.value).bytes));
                }
            }
            std::vector<QImage> filters; // of 5 x 5 weights, 4 x 4 pixels each, two pixels apart
            for (int number = 0; number < 16; ++number) {
                QImage filter(5, 5, QImage::Format_RGB32);
                for (int pixel = 0; pixel < 25; ++pixel) {
                    const QPoint at(
                        number % 4 * 22 + pixel % 5 * 4 + 1, number / 4 * 22 + pixel / 5 * 4 + 2);
                    filter.setPixel(pixel % 5, pixel / 5, sheet.pixel(at));
                }
                filters.push_back(filter);
            }
            return filters;
        };
        QTRY_COMPARE(view->tiles(), recordedAt(index.places().size() - 1));
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QTRY_COMPARE(view->tiles(), recordedAt(0));
        QVERIFY(recordedAt(0) != recordedAt(index.places().size() - 1));
    }

    void Weights_withoutEvents_saysHowToHaveThem()
    {
        show("weights_dock");
        const auto* const panel = window().findChild<WeightsPanel*>();
        const auto said = [&] {
            for (const auto* const note : panel->findChildren<NoteLabel*>()) {
                if (note->isVisible()) {
                    return note->note();
                }
            }
            return QString();
        };
        QVERIFY(said().contains("Start or open a run"));
        RunConfig config = m_scene->config(20);
        config.eventsEverySteps = 0;
        m_scene->startAtOnce(config);
        WAIT_FOR_STATE(Finished);
        QTRY_VERIFY(said().contains("events.every_steps"));
        QTRY_COMPARE(find<QTableView>("layers_table")->model()->rowCount(), 7); // that is known
    }

    void Devices_ofThisMachine_areShownLive()
    {
        show("devices_dock");
        m_scene->startAtOnce(m_scene->config(kEndless));
        const auto points = [&](const char* chart) {
            const auto& curves = find<LinePlot>(chart)->curves();
            return curves.empty() ? std::size_t{0} : curves.front().points.size();
        };
        QTRY_VERIFY(points("device_load") >= 2);
        QVERIFY(find("device_load")->isVisible());
        QVERIFY(find<LinePlot>("device_load")->summary().endsWith(" %"));
        const auto& memory = find<LinePlot>("device_memory")->curves();
        QCOMPARE(memory.size(), std::size_t{2});
        QVERIFY(memory[1].points.back().y() < memory[0].points.back().y()); // part of it
        QVERIFY(find<LinePlot>("device_memory")->summary().contains("GiB"));
        // What this machine does not tell has no chart, and is said.
        const DeviceReadingRecord newest = store().lastDeviceReadings().back();
        const auto* const panel = window().findChild<DevicesPanel*>();
        const QString note = panel->findChild<NoteLabel*>()->note();
        QCOMPARE(find("device_temperature")->isVisible(), newest.temperature >= 0.0);
        QCOMPARE(note.contains("temperature"), newest.temperature < 0.0);
        QCOMPARE(find("device_power")->isVisible(), newest.powerWatts >= 0.0);
        // The towers' table has columns for GPUs alone.
        QCOMPARE(
            find<QTableView>("towers_table")->model()->columnCount(),
            int{TowerTableModel::AlwaysThere});
        stop();
    }

    void Devices_ofGpus_areShownAndMarked()
    {
        m_scene->startAtOnce(m_scene->config(5));
        WAIT_FOR_STATE(Finished);
        const auto run = m_scene->run().folder();
        actions().newRun->trigger();
        tellOfTwoGpus(run, 2);
        show("devices_dock");
        window().openCommands().openRun(run);
        auto* const temperature = find<LinePlot>("device_temperature");
        const auto hasBoth = [&] {
            const auto has = [&](const char* name) {
                return std::ranges::count(temperature->curves(), name, &LineCurve::name) == 1;
            };
            return has("GPU 0") && has("GPU 1");
        };
        QTRY_VERIFY(hasBoth());
        QVERIFY(temperature->isVisible());
        QVERIFY(temperature->summary().contains("GPU 1 83 °C"));
        const auto* const power = find<LinePlot>("device_power");
        QVERIFY(power->summary().contains("GPU 0 655 W, 0.1 Wh so far"));
        QCOMPARE(power->marks().size(), std::size_t{1});
        QCOMPARE(power->marks()[0].text, "GPU 1 is slowed: power limit");
        // Tower 0 sits on the first, tower 1 on the second: in their colours.
        const auto colorOf = [&](const char* name) {
            return std::ranges::find(temperature->curves(), name, &LineCurve::name)->color;
        };
        QCOMPARE(colorOf("GPU 0"), 0);
        QCOMPARE(colorOf("GPU 1"), 1);
    }

    void Docks_unseen_paintAndReadNothing()
    {
        find<QDockWidget>("log_dock")->raise();
        PaintWitness histogram(*find("histogram_0"));
        PaintWitness load(*find("device_load"));
        m_scene->startAtOnce(recorded(kEndless));
        WAIT_FOR_STEPS(50);
        QTest::qWait(2'500);
        QCOMPARE(histogram.paints, 0);
        QCOMPARE(load.paints, 0);
        QVERIFY(histograms("histogram_0").empty());
        QVERIFY(find<LinePlot>("device_load")->curves().empty());
        // Seen, but hands off: no more often than there is something new, twice a second at most.
        show("devices_dock");
        QTRY_VERIFY(!find<LinePlot>("device_load")->curves().empty());
        QTest::qWait(500); // the layout comes to rest
        load.paints = 0;
        QTest::qWait(3'000);
        QVERIFY2(load.paints >= 1 && load.paints <= 8, qPrintable(QString::number(load.paints)));
        QCOMPARE(histogram.paints, 0);
        stop();
    }

private:
    void show(const char* dock) const
    {
        showDock(dock);
        QTRY_VERIFY(find<QDockWidget>(dock)->widget()->isVisible());
    }
    [[nodiscard]] const HistogramRow& histograms(const char* name) const
    {
        return find<HistogramPlot>(name)->histograms();
    }
    [[nodiscard]] RunConfig recorded(std::int64_t steps) const
    {
        RunConfig config = m_scene->config(steps);
        config.eventsEverySteps = 10;
        return config;
    }
};
LOCKSTEP_TEST(TestWindowLayers)
#include "test_window_layers.moc"
