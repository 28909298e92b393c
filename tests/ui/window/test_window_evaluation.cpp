// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data.h"
#include "models/evaluation/image_models.h"
#include "panels/evaluation/detection_chart.h"
#include "panels/evaluation/example_table.h"
#include "plots/cards/precision_recall_plot.h"
#include "session/mask_model.h"
#include "theme/palette.h"
#include "ui/evaluation_dock.h"
#include "ui/pictures.h"
#include "widgets/pictures/mask_view.h"

#include <algorithm>
#include <map>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;

/// What the dock has in a window of 1440 x 900, whatever the screen is.
constexpr int kDockHeight = 290;

/// The dock "Evaluation", with real trainings of networks that detect.
class TestWindowEvaluation : public EvaluationDockTest
{
    Q_OBJECT

public:
    TestWindowEvaluation() : EvaluationDockTest("evaluation_images") {}

private slots:
    void init() { beginScene(); }

    void Images_areThoseOfTheStore_theMostWrongFirst()
    {
        TRAIN(detector(8));
        QVERIFY(shows(stored(8, WeightsKind::Average)));
        for (int row = 1; row < table()->rowCount(); ++row) {
            QVERIFY(
                cell(row - 1, ImageScoreModel::Loss).toDouble()
                >= cell(row, ImageScoreModel::Loss).toDouble());
        }
        const auto* const plot = find<PrecisionRecallPlot>("precision_recall");
        QVERIFY(plot->isVisible());
        const auto curve = precisionRecallCurve(scoredExamples(stored(8, WeightsKind::Average)));
        QCOMPARE(plot->points().size(), curve.size());
        QVERIFY(plot->summary().contains(QString("AP %1").arg(averagePrecision(curve), 0, 'f', 4)));
        QVERIFY(note("evaluation_definition").contains("without interpolation"));
        // It begins at the best F1.
        QCOMPARE(plot->points()[plot->chosen()].threshold, bestF1(curve).threshold);
    }

    void Threshold_countsAsABruteForceDoes()
    {
        TRAIN(detector(8));
        const std::vector<ImageScore> scores = stored(8, WeightsKind::Average);
        const auto* const plot = find<PrecisionRecallPlot>("precision_recall");
        auto* const slider = find<QSlider>("evaluation_threshold");
        QVERIFY(slider->maximum() > 2);
        for (const int place : {0, slider->maximum() / 2, slider->maximum()}) {
            slider->setValue(slider->maximum() - place);
            const double threshold = plot->points()[static_cast<std::size_t>(place)].threshold;
            int counts[2][2] = {};
            for (const ImageScore& score : scores) {
                ++counts[score.isPositive ? 1 : 0][score.score >= threshold ? 1 : 0];
            }
            const QString expected = QString("TP %1 · FP %2 · FN %3 · TN %4 ·")
                                         .arg(counts[1][1])
                                         .arg(counts[0][1])
                                         .arg(counts[1][0])
                                         .arg(counts[0][0]);
            QVERIFY2(
                note("evaluation_counts").startsWith(expected),
                qPrintable(note("evaluation_counts")));
            QCOMPARE(plot->chosen(), static_cast<std::size_t>(place));
        }
        QVERIFY(note("evaluation_counts").contains("recall 1.00"));
        // By the keyboard: to the left is a lower threshold.
        slider->setValue(slider->maximum() / 2);
        const double before = plot->points()[plot->chosen()].threshold;
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY(plot->points()[plot->chosen()].threshold < before);
    }

    void Filter_listsWhatIsWrong()
    {
        TRAIN(detector(8));
        auto* const slider = find<QSlider>("evaluation_threshold");
        auto* const filter = find<QComboBox>("evaluation_filter");
        slider->setValue(0); // all are called defective
        filter->setCurrentIndex(1);
        QCOMPARE(filter->currentText(), "False positives (50)");
        QCOMPARE(table()->rowCount(), 50);
        for (int row = 0; row < 50; ++row) {
            const QModelIndex called = table()->index(row, ImageScoreModel::Called);
            QCOMPARE(called.data().toString(), "false positive");
            QVERIFY(called.data(WarningRole).toBool());
            QCOMPARE(table()->index(row, ImageScoreModel::Label).data().toString(), "clean");
        }
        filter->setCurrentIndex(2);
        QCOMPARE(table()->rowCount(), 0);
        slider->setValue(slider->maximum()); // only the highest score is
        QVERIFY(table()->rowCount() >= 49);
    }

    void Curve_clicked_setsTheThreshold()
    {
        TRAIN(detector(8));
        auto* const plot = find<PrecisionRecallPlot>("precision_recall");
        const std::size_t last = plot->points().size() - 1;
        QVERIFY(plot->chosen() != 0);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->placeOf(0).toPoint());
        QCOMPARE(plot->points()[plot->chosen()].recall, plot->points()[0].recall);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->placeOf(last).toPoint());
        QCOMPARE(plot->points()[plot->chosen()].recall, 1.0);
        QCOMPARE(find<QSlider>("evaluation_threshold")->value(), 0);
    }

    void Choices_showOlderEvaluations_andRawWeights()
    {
        TRAIN(detector(8));
        auto* const step = find<QComboBox>("evaluation_step");
        auto* const weights = find<QComboBox>("evaluation_weights");
        QCOMPARE(step->count(), 3); // the newest, 8, 4
        const auto choose = [](QComboBox* box, int place) {
            box->setCurrentIndex(place);
            emit box->activated(place);
        };
        choose(step, 2);
        QTRY_VERIFY(shows(stored(4, WeightsKind::Average)));
        choose(weights, 1);
        QTRY_VERIFY(shows(stored(4, WeightsKind::Raw)));
        QVERIFY(!shows(stored(4, WeightsKind::Average)));
        QCOMPARE(step->currentText(), "Step 4");
    }

    void Image_chosen_showsItsMask()
    {
        TRAIN(detector(8));
        const auto* const view = find<MaskView>("evaluation_mask");
        QVERIFY(view->picture().input.isNull());
        clickRow(0);
        QTRY_VERIFY(!view->picture().input.isNull());
        const QString name = cell(0, ImageScoreModel::Image).toString();
        QVERIFY2(
            note("evaluation_trial").startsWith(name + " · score "),
            qPrintable(note("evaluation_trial")));
        QCOMPARE(view->picture().input.size(), QSize(32, 64));
        QCOMPARE(view->picture().rows, 8);
        QCOMPARE(view->picture().columns, 4);
        const float peak = *std::ranges::max_element(view->picture().probabilities);
        QCOMPARE(static_cast<double>(peak), cell(0, ImageScoreModel::Peak).toDouble());
        QVERIFY(note("evaluation_trial").endsWith("moving averages of step 8"));
        // The arrow keys go through the list.
        QTest::keyClick(find<QTableView>("evaluation_images"), Qt::Key_Down);
        const QString next = cell(1, ImageScoreModel::Image).toString();
        QTRY_VERIFY(note("evaluation_trial").startsWith(next + " · "));
    }

    void Image_ofADeletedCheckpoint_saysSo()
    {
        TRAIN(detector(8));
        for (const CheckpointFile& file :
             listCheckpoints(RunFolder::checkpointsOf(m_scene->run().folder()))) {
            if (file.step == 8) {
                std::filesystem::remove(file.path);
            }
        }
        clickRow(3);
        QTRY_VERIFY(note("evaluation_trial").contains("checkpoint of step 8 was deleted"));
        QVERIFY(note("evaluation_trial").contains("averages of step 4"));
        std::filesystem::remove_all(RunFolder::checkpointsOf(m_scene->run().folder()));
        clickRow(4);
        QTRY_VERIFY(!note("evaluation_problem").isEmpty());
        QVERIFY(find<MaskView>("evaluation_mask")->picture().input.isNull());
    }

    void File_dropped_isTried()
    {
        TRAIN(detector(8));
        const auto testSet = openDataset({"synthetic_defects"}, Split::Test);
        const ExampleView example = testSet->example(5);
        const QImage image(
            example.pixels.data(), static_cast<int>(kDefectWidth), static_cast<int>(kDefectHeight),
            static_cast<int>(kDefectWidth), QImage::Format_Grayscale8);
        const auto file = m_scene->folder() / "my part.png";
        QVERIFY(image.save(toQString(file)));
        drop({file});
        const auto* const view = find<MaskView>("evaluation_mask");
        QTRY_VERIFY(!view->picture().input.isNull());
        const std::vector<ImageScore> scores = stored(8, WeightsKind::Average);
        QVERIFY2(
            note("evaluation_trial")
                .startsWith(
                    QString("my part.png · score %1 · mask peak").arg(scores[5].score, 0, 'f', 4)),
            qPrintable(note("evaluation_trial")));
        QVERIFY(view->picture().label.empty());
        QCOMPARE(view->layers().size(), std::size_t{3});
    }

    void File_thatIsNoImage_isNamed()
    {
        TRAIN(detector(8));
        const auto file = m_scene->folder() / "notes.png";
        std::ofstream(file) << "dear diary";
        drop({file});
        QTRY_VERIFY(note("evaluation_problem").startsWith(toQString(file)));
        QVERIFY(find("evaluation_problem")->isVisible());
    }

    void Stored_run_isShown_andUnseenReadsNothing()
    {
        TRAIN(detector(8));
        const auto run = m_scene->run().folder();
        m_scene->open();
        find<QDockWidget>("log_dock")->raise();
        window().openCommands().openRun(run);
        QTRY_VERIFY(m_scene->shownSteps() == 8);
        QTest::qWait(300);
        QCOMPARE(table()->rowCount(), 0);
        showDock("evaluation_dock");
        QTRY_VERIFY(shows(stored(8, WeightsKind::Average)));
        actions().newRun->trigger();
        QTRY_VERIFY(note("evaluation_message").contains("Start or open a run"));
        window().openCommands().openRun(run); // once more
        QTRY_VERIFY(m_scene->shownSteps() == 8);
        QTRY_VERIFY(shows(stored(8, WeightsKind::Average)));
    }

    static void Run_ofAnUnknownDataset_isShown()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        EvaluationPanel panel(run);
        RunConfig config = smallConfig(1);
        config.dataset = "unknown_set";
        emit witness.controller.feed().started("/nowhere", config);
        const auto* const message = panel.findChild<NoteLabel*>("evaluation_no_images");
        QVERIFY2(message->note().startsWith("Not evaluated"), qPrintable(message->note()));
    }

    static void Words_nothingDefective_saySo()
    {
        RunConfig config;
        config.dataset = "synthetic_defects";
        EvaluationPicture picture;
        QVERIFY(reasonForNoCurve(config, picture).startsWith("Not evaluated yet"));
        picture.chosen.emplace();
        QVERIFY(reasonForNoCurve(config, picture).contains("no scores"));
        picture.images.resize(3);
        QVERIFY(reasonForNoCurve(config, picture).startsWith("None of the test images"));
    }

    /// The scores of an evaluation move; what a person chose does not move with them.
    static void Threshold_chosen_isKeptThroughEvaluations()
    {
        const auto pictureOf = [](const std::vector<double>& scores) {
            EvaluationPicture picture;
            for (const double score : scores) {
                ImageScore image;
                image.isPositive = picture.images.empty();
                image.score = score;
                picture.images.push_back(image);
            }
            picture.curve = precisionRecallCurve(scoredExamples(picture.images));
            picture.detection = detectionScores(picture.images);
            return picture;
        };
        DetectionChart chart;
        double threshold = 0.0;
        QObject::connect(&chart, &DetectionChart::thresholdChanged, &chart, [&](double chosen) {
            threshold = chosen;
        });
        chart.setPicture(pictureOf({0.9, 0.5, 0.1}));
        QCOMPARE(threshold, 0.9); // the best F1
        chart.findChild<QSlider*>("evaluation_threshold")->setValue(1);
        QCOMPARE(threshold, 0.5);
        chart.setPicture(pictureOf({0.9, 0.7, 0.1}));
        QCOMPARE(threshold, 0.7);
        chart.setPicture(pictureOf({0.9, 0.55, 0.75}));
        QCOMPARE(threshold, 0.55);
        chart.setPicture(pictureOf({0.9, 0.65, 0.45})); // 0.65 is closer to what was shown
        QCOMPARE(threshold, 0.45);
    }

    /// False positives of 0.9 and 0.8, the latter only up to a threshold of 0.8.
    static void Row_thatVanishes_asksForNoOther()
    {
        ImageTable images;
        images.setRows({{1, "a", false, 0.9, 2.0}, {2, "b", false, 0.8, 1.0}});
        auto* const filter = images.findChild<QComboBox*>("evaluation_filter");
        QTableView* const view = &images;
        filter->setCurrentIndex(1);
        QCOMPARE(view->model()->rowCount(), 2);
        const QSignalSpy chosen(&images, &ImageTable::chosen);
        view->selectRow(1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(images.selected(), std::optional<qint64>(2));
        images.setThreshold(0.7); // it stays
        QCOMPARE(images.selected(), std::optional<qint64>(2));
        images.setThreshold(0.85);
        QCOMPARE(view->model()->rowCount(), 1);
        QCOMPARE(images.selected(), std::optional<qint64>());
        images.setThreshold(0.5);
        view->selectRow(0);
        QCOMPARE(chosen.size(), 2);
        filter->setCurrentIndex(2); // it goes, and so does all else
        filter->setCurrentIndex(0);
        QCOMPARE(images.selected(), std::optional<qint64>());
        QCOMPARE(chosen.size(), 2);
    }

    static void Row_clicked_isAskedForOnce()
    {
        ImageTable images;
        images.setRows({{1, "a", false, 0.9, 2.0}, {2, "b", false, 0.8, 1.0}});
        images.resize(500, 300);
        images.show();
        QTableView* const view = &images;
        const QSignalSpy chosen(&images, &ImageTable::chosen);
        const auto clickRow = [view](int row) {
            QTest::mouseClick(
                view->viewport(), Qt::LeftButton, {},
                view->visualRect(view->model()->index(row, 0)).center());
        };
        clickRow(1);
        QCOMPARE(chosen.size(), 1);
        clickRow(1); // once more
        QCOMPARE(chosen.size(), 2);
        QTest::keyClick(view, Qt::Key_Up);
        QCOMPARE(chosen.size(), 3);
        clickRow(0);
        QCOMPARE(chosen.size(), 4);
    }

    /// A real segdecnet, small; in <build>/screenshots for people to look at.
    void Pictures_inBothThemes()
    {
        RunConfig config = detector(6);
        config.model.name = "segdecnet";
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
        config.towers = 1;
        config.batchPerTower = 2;
        config.evaluateEverySteps = 0;
        TRAIN(config);
        clickRow(1);
        const auto* const view = find<MaskView>("evaluation_mask");
        QTRY_VERIFY(!view->picture().input.isNull());
        for (const auto* const theme : {"light", "dark"}) {
            show(theme, kDockHeight);
            QTest::qWait(300);
            const QImage picture = window().grab().toImage();
            QCOMPARE(picture.size(), QSize(1440, 900) * qApp->devicePixelRatio());
            QVERIFY(picture.save(pictureFile(QString("evaluation-") + theme)));
            expectRoom({"evaluation_counts", "evaluation_trial"});
        }
    }

private:
    [[nodiscard]] RunConfig detector(std::int64_t steps) const
    {
        RunConfig config = m_scene->config(steps);
        config.model.name = test::writeMaskModel(m_scene->folder().path()).string();
        config.dataset = "synthetic_defects";
        config.datasetPath.clear();
        config.batchPerTower = 4;
        config.phases = {{"segmentation+decision", steps, 0.05, {}}};
        config.evaluateEverySteps = steps / 2;
        config.checkpointEverySteps = steps / 2;
        config.evaluateAtEnd = true;
        return config;
    }
    [[nodiscard]] std::vector<ImageScore> stored(std::int64_t step, WeightsKind weights) const
    {
        return store().imageScores(step, weights);
    }
    [[nodiscard]] bool shows(const std::vector<ImageScore>& scores) const
    {
        std::map<QString, std::pair<double, double>> expected;
        for (const ImageScore& score : scores) {
            expected[QString::fromStdString(score.name)] = {score.score, score.loss};
        }
        for (int row = 0; row < table()->rowCount(); ++row) {
            const auto found = expected.find(cell(row, ImageScoreModel::Image).toString());
            if (found == expected.end()
                || found->second.first != cell(row, ImageScoreModel::Score).toDouble()
                || found->second.second != cell(row, ImageScoreModel::Loss).toDouble()) {
                return false;
            }
        }
        return table()->rowCount() == static_cast<int>(scores.size());
    }
};
LOCKSTEP_TEST(TestWindowEvaluation)
#include "test_window_evaluation.moc"
