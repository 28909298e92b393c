// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_models.h"
#include "panels/evaluation/confusion_panel.h"
#include "plots/charts/line_plot.h"
#include "support/other_head.h"
#include "ui/evaluation_dock.h"
#include "ui/pictures.h"
#include "widgets/pictures/confusion_view.h"
#include "widgets/pictures/crisp_pictures.h"
#include "widgets/pictures/picture_cards.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;

/// What the dock has in a window of 1440 x 900, whatever the screen is.
constexpr int kClassesDockHeight = 310;

/// The dock "Evaluation", with real trainings of networks that classify.
class TestWindowClasses : public EvaluationDockTest
{
    Q_OBJECT

public:
    TestWindowClasses() : EvaluationDockTest("evaluation_classified") {}

private slots:
    void init() { beginScene(); }

    void Images_areThoseOfTheStore_theMostWrongFirst()
    {
        TRAIN(classifier(4));
        const auto images = stored(4, WeightsKind::Average);
        QCOMPARE(table()->rowCount(), static_cast<int>(images.size()));
        for (int row = 0; row < table()->rowCount(); ++row) {
            const auto& image =
                images[static_cast<std::size_t>(cell(row, ClassImageModel::Image).toLongLong())];
            QCOMPARE(cell(row, ClassImageModel::Loss).toDouble(), static_cast<double>(image.loss));
            QCOMPARE(
                cell(row, ClassImageModel::Probability).toDouble(),
                static_cast<double>(image.probability));
            QCOMPARE(
                cell(row, ClassImageModel::Prediction).toString()
                    == cell(row, ClassImageModel::Label).toString(),
                image.label == image.predicted);
            QCOMPARE(
                table()->index(row, ClassImageModel::Prediction).data(WarningRole).toBool(),
                image.label != image.predicted);
            QVERIFY(
                row == 0
                || cell(row - 1, ClassImageModel::Loss).toDouble()
                       >= cell(row, ClassImageModel::Loss).toDouble());
        }
        const auto right = std::ranges::count_if(images, &ClassifiedImage::isCorrect);
        const double share =
            100.0 * static_cast<double>(right) / static_cast<double>(images.size());
        QVERIFY2(
            note("evaluation_top").startsWith(QString("top-1 %1 %").arg(share, 0, 'f', 2)),
            qPrintable(note("evaluation_top")));
        QVERIFY(note("evaluation_top").contains("top-5 "));
    }

    void Matrix_countsAsABruteForceDoes()
    {
        TRAIN(classifier(4));
        auto counts = counted(4);
        QCOMPARE(matrix()->classes(), 10);
        QVERIFY(matrix()->isVisible());
        for (int label = 0; label < 10; ++label) {
            qint64 sum = 0;
            for (int predicted = 0; predicted < 10; ++predicted) {
                sum += counts[{label, predicted}];
            }
            for (int predicted = 0; predicted < 10; ++predicted) {
                const MatrixPlace place{label, predicted};
                const qint64 count = counts[{label, predicted}];
                QCOMPARE(matrix()->count(place), count);
                QCOMPARE(
                    matrix()->cellText(place), count == 0 ? QString() : QString::number(count));
                find<QCheckBox>("evaluation_shares")->setChecked(true);
                const double share = 100.0 * static_cast<double>(count) / static_cast<double>(sum);
                QCOMPARE(
                    matrix()->cellText(place),
                    count == 0 ? QString() : QString::number(share, 'f', 1));
                find<QCheckBox>("evaluation_shares")->setChecked(false);
            }
        }
    }

    /// Whatever it took images for: ten of its classes have a name.
    void Matrix_hasEveryOutputOfTheNetwork()
    {
        RunConfig config = classifier(4);
        config.model.name = test::writeOtherHead(m_scene->folder().path()).string();
        TRAIN(config);
        QCOMPARE(matrix()->classes(), 14);
        QCOMPARE(find<QComboBox>("evaluation_label")->count(), 1 + 14);
        QCOMPARE(find<QComboBox>("evaluation_label")->itemText(14), "13");
    }

    /// "All labels", not "All labe".
    void Choices_inAWindowOfUsualSize_canBeRead()
    {
        window().resize(1440, 900);
        TRAIN(classifier(4));
        for (const char* const name :
             {"evaluation_step", "evaluation_weights", "evaluation_label",
              "evaluation_prediction"}) {
            const auto* const box = find<QComboBox>(name);
            QTRY_VERIFY2(box->isVisible() && box->width() >= box->sizeHint().width(), name);
            const auto* const dock = find<QDockWidget>("evaluation_dock");
            QVERIFY2(dock->rect().contains(QRect(box->mapTo(dock, QPoint()), box->size())), name);
        }
        QVERIFY(!find<QComboBox>("evaluation_filter")->isVisible()); // of networks that detect
    }

    void Cell_clicked_listsItsImages()
    {
        TRAIN(classifier(4));
        const auto counts = counted(4);
        const int all = table()->rowCount();
        const auto [place, count] = *counts.begin();
        clickCell({place.first, place.second});
        QCOMPARE(table()->rowCount(), static_cast<int>(count));
        const auto names = store().classNames();
        const auto name = [&](int number) {
            return QString::fromStdString(names[static_cast<std::size_t>(number)]);
        };
        QVERIFY(showsOnly(name(place.first), name(place.second)));
        QCOMPARE(find<QComboBox>("evaluation_label")->currentText(), name(place.first));
        QCOMPARE(find<QComboBox>("evaluation_prediction")->currentText(), name(place.second));
        clickCell({place.first, place.second}); // once more
        QCOMPARE(table()->rowCount(), all);
        QCOMPARE(find<QComboBox>("evaluation_label")->currentIndex(), 0);
        QVERIFY(!matrix()->chosen());
    }

    void Filters_listTheirImages_andMarkTheCell()
    {
        TRAIN(classifier(4));
        auto counts = counted(4);
        const auto choose = [&](const char* name, int place) {
            auto* const box = find<QComboBox>(name);
            box->setCurrentIndex(place);
            emit box->activated(place);
        };
        qint64 ofLabel = 0;
        qint64 wrong = 0;
        const int label = counts.begin()->first.first;
        for (const auto& [place, count] : counts) {
            ofLabel += place.first == label ? count : 0;
            wrong += place.first != place.second ? count : 0;
        }
        choose("evaluation_label", label + 1);
        QCOMPARE(table()->rowCount(), static_cast<int>(ofLabel));
        QVERIFY(!matrix()->chosen());
        const int predicted = counts.begin()->first.second;
        choose("evaluation_prediction", predicted + 2);
        QCOMPARE(table()->rowCount(), static_cast<int>(counts[{label, predicted}]));
        QCOMPARE(matrix()->chosen(), (std::optional(MatrixPlace{label, predicted})));
        choose("evaluation_label", 0);
        choose("evaluation_prediction", 1);
        QCOMPARE(find<QComboBox>("evaluation_prediction")->currentText(), "Wrong ones");
        QCOMPARE(table()->rowCount(), static_cast<int>(wrong));
    }

    void Matrix_byKeyboard()
    {
        TRAIN(classifier(4));
        matrix()->setFocus();
        QTest::keyClick(matrix(), Qt::Key_Down);
        QTest::keyClick(matrix(), Qt::Key_Right);
        QTest::keyClick(matrix(), Qt::Key_Right);
        QTest::keyClick(matrix(), Qt::Key_Return);
        QCOMPARE(matrix()->chosen(), (std::optional(MatrixPlace{1, 2})));
        QCOMPARE(table()->rowCount(), static_cast<int>(counted(4)[{1, 2}]));
        QVERIFY(!matrix()->accessibleDescription().isEmpty());
        QTest::keyClick(matrix(), Qt::Key_Escape);
        QVERIFY(!matrix()->chosen());
    }

    void Pairs_areWhatIsConfusedMost()
    {
        TRAIN(classifier(4));
        find<QTabBar>("evaluation_views")->setCurrentIndex(1);
        auto* const view = find<QTableView>("evaluation_pairs");
        QVERIFY(view->isVisible() && !matrix()->isVisible());
        QVERIFY(!find<QCheckBox>("evaluation_shares")->isVisible());
        const auto counts = counted(4);
        const auto confused = std::ranges::count_if(
            counts, [](const auto& one) { return one.first.first != one.first.second; });
        QCOMPARE(view->model()->rowCount(), static_cast<int>(confused));
        qint64 before = std::numeric_limits<qint64>::max();
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const qint64 images =
                view->model()->index(row, ConfusedPairModel::Images).data(ValueRole).toLongLong();
            QVERIFY(images <= before);
            before = images;
        }
        view->selectRow(0);
        const auto text = [&](int column) {
            return view->model()->index(0, column).data().toString();
        };
        QCOMPARE(QString::number(table()->rowCount()), text(ConfusedPairModel::Images));
        QVERIFY(showsOnly(text(ConfusedPairModel::Label), text(ConfusedPairModel::Prediction)));
    }

    void Image_chosen_showsItsClasses()
    {
        TRAIN(classifier(4));
        const auto* const answer = find<ClassAnswer>("evaluation_classes");
        QVERIFY(answer->image().isNull());
        clickRow(0);
        QTRY_VERIFY(!answer->image().isNull());
        QVERIFY(answer->isVisible());
        QCOMPARE(answer->image().size(), QSize(24, 24));
        QCOMPARE(answer->bars().size(), std::size_t{5});
        QCOMPARE(answer->bars()[0].name, cell(0, ClassImageModel::Prediction).toString());
        QVERIFY(
            std::abs(
                answer->bars()[0].probability - cell(0, ClassImageModel::Probability).toDouble())
            < 1e-5);
        for (const ClassBar& bar : answer->bars()) {
            QCOMPARE(bar.isLabel, bar.name == cell(0, ClassImageModel::Label).toString());
        }
        const QString expected = QString("%1 · %2, taken for %3 · moving averages of step 4")
                                     .arg(
                                         cell(0, ClassImageModel::Image).toString(),
                                         cell(0, ClassImageModel::Label).toString(),
                                         cell(0, ClassImageModel::Prediction).toString());
        QCOMPARE(note("evaluation_trial"), expected);
        // Not smoothed: as many whole pixels of the screen for each pixel as there is room for.
        const double factor = answer->imageRect().width() * answer->devicePixelRatioF() / 24.0;
        QCOMPARE(factor, std::floor(factor));
    }

    void File_dropped_isTried()
    {
        TRAIN(classifier(4));
        QImage image(64, 40, QImage::Format_RGB888);
        image.fill(Qt::darkGreen);
        const auto file = m_scene->folder() / "leaf.png";
        QVERIFY(image.save(toQString(file)));
        drop({file});
        const auto* const answer = find<ClassAnswer>("evaluation_classes");
        QTRY_VERIFY(!answer->image().isNull());
        QVERIFY2(
            note("evaluation_trial")
                .startsWith(QString("leaf.png · %1 · ").arg(answer->bars()[0].name)),
            qPrintable(note("evaluation_trial")));
        QVERIFY(std::ranges::none_of(answer->bars(), &ClassBar::isLabel));
    }

    /// Against counting by hand.
    void Classes_haveTheirRecallAndPrecision()
    {
        TRAIN(classifier(4));
        find<QTabBar>("evaluation_views")->setCurrentIndex(2);
        auto* const view = find<QTableView>("evaluation_figures");
        QVERIFY(view->isVisible());
        const QAbstractItemModel& model = *view->model();
        QCOMPARE(model.rowCount(), 10);
        auto counts = counted(4);
        const auto names = store().classNames();
        double before = -1.0;
        for (int row = 0; row < 10; ++row) {
            const auto value = [&](int column) { return model.index(row, column).data(ValueRole); };
            const auto name = value(ClassFiguresModel::Class).toString().toStdString();
            const auto label = static_cast<int>(std::ranges::find(names, name) - names.begin());
            double images = 0.0;
            double predicted = 0.0;
            for (int other = 0; other < 10; ++other) {
                images += static_cast<double>(counts[{label, other}]);
                predicted += static_cast<double>(counts[{other, label}]);
            }
            const auto right = static_cast<double>(counts[{label, label}]);
            QCOMPARE(value(ClassFiguresModel::Images).toDouble(), images);
            QCOMPARE(value(ClassFiguresModel::Taken).toDouble(), predicted);
            QCOMPARE(value(ClassFiguresModel::Recall).toDouble(), right / images);
            QCOMPARE(value(ClassFiguresModel::Precision).isValid(), predicted > 0.0);
            QVERIFY(
                predicted == 0.0
                || value(ClassFiguresModel::Precision).toDouble() == right / predicted);
            QVERIFY(before <= right / images); // the worst first
            before = right / images;
        }
        view->selectRow(0);
        const QString name = model.index(0, ClassFiguresModel::Class).data().toString();
        QCOMPARE(find<QComboBox>("evaluation_label")->currentText(), name);
        QCOMPARE(
            table()->rowCount(), model.index(0, ClassFiguresModel::Images).data(ValueRole).toInt());
    }

    void Mistakes_areTheSurest_withTheirPictures()
    {
        TRAIN(classifier(4));
        auto wrong = stored(4, WeightsKind::Average);
        std::erase_if(wrong, &ClassifiedImage::isCorrect);
        find<QTabBar>("evaluation_views")->setCurrentIndex(3);
        const auto shown = [this](std::size_t card) { return mistakes()->cards().at(card); };
        QCOMPARE(mistakes()->cards().size(), std::min<std::size_t>(24, wrong.size()));
        QVERIFY(mistakes()->isVisible());
        std::ranges::stable_sort(wrong, std::greater<>(), &ClassifiedImage::probability);
        const auto names = store().classNames();
        const auto name = [&](int number) {
            return QString::fromStdString(names[static_cast<std::size_t>(number)]);
        };
        QVERIFY2(shown(0).title.contains(name(wrong[0].predicted)), qPrintable(shown(0).title));
        QVERIFY(shown(0).lines[0].contains(name(wrong[0].label)));
        QVERIFY(shown(0).lines[2].endsWith(QString::number(wrong[0].example)));
        QTRY_VERIFY(hasAllPictures());
        // As the network sees them.
        const auto* const answer = find<ClassAnswer>("evaluation_classes");
        QTest::mouseClick(
            mistakes()->viewport(), Qt::LeftButton, {},
            mistakes()->pictureRect(0).center().toPoint());
        QTRY_VERIFY(!answer->image().isNull());
        QCOMPARE(answer->image(), shown(0).image);
        find<QComboBox>("evaluation_mistake_order")->setCurrentIndex(1);
        std::ranges::stable_sort(wrong, std::greater<>(), &ClassifiedImage::loss);
        QVERIFY(shown(0).lines[2].endsWith(QString::number(wrong[0].example)));
    }

    /// As each of them alone, and so they stand in the file.
    void Folder_dropped_isListed_andSaved()
    {
        TRAIN(classifier(4));
        drop({folderOfPictures()});
        QVERIFY(find<QTableView>("evaluation_files")->isVisible() && !matrix()->isVisible());
        QTRY_COMPARE(files()->rowCount(), 3);
        QTRY_VERIFY(find<QPushButton>("evaluation_files_save")->isEnabled());
        QCOMPARE(note("evaluation_files_state"), "3 images · 1 can't be read");
        const auto text = [this](int row, int column) {
            return files()->index(row, column).data().toString();
        };
        QCOMPARE(text(0, FilePredictionModel::File), "a.png");
        const QString problem = text(1, FilePredictionModel::Problem);
        QVERIFY2(!problem.isEmpty() && !problem.contains("b.PNG"), qPrintable(problem));
        QVERIFY(text(1, FilePredictionModel::Probability).isEmpty());
        QCOMPARE(text(2, FilePredictionModel::File), "c.bmp");
        const auto csv = m_scene->folder() / "predictions.csv";
        find<QPushButton>("evaluation_files_save")->click();
        m_scene->answer(csv);
        QTRY_VERIFY(note("evaluation_files_state").startsWith("Saved as"));
        QFile file(toQString(csv));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
        QCOMPARE(lines.size(), 1 + 3 + 1);
        QVERIFY(lines[1].contains("a.png," + text(0, FilePredictionModel::Prediction) + ','));
        auto* const view = find<QTableView>("evaluation_files");
        QTest::mouseClick(
            view->viewport(), Qt::LeftButton, {}, view->visualRect(files()->index(2, 0)).center());
        const auto* const answer = find<ClassAnswer>("evaluation_classes");
        QTRY_VERIFY(!answer->image().isNull());
        QCOMPARE(answer->bars()[0].name, text(2, FilePredictionModel::Prediction));
        QVERIFY(
            std::abs(
                answer->bars()[0].probability
                - files()->index(2, FilePredictionModel::Probability).data(ValueRole).toDouble())
            < 1e-6);
        find<QPushButton>("evaluation_files_close")->click();
        QVERIFY(matrix()->isVisible());
    }

    void Files_droppedOnTheWindow_bringTheDock()
    {
        TRAIN(classifier(4));
        find<QDockWidget>("evaluation_dock")->hide();
        const auto folder = folderOfPictures();
        drop({folder / "a.png", folder / "c.bmp"});
        QTRY_COMPARE(files()->rowCount(), 2);
        QVERIFY(find<QTableView>("evaluation_files")->isVisible());
    }

    void Evaluation_withoutImages_saysSo()
    {
        RunConfig config = classifier(4);
        config.evaluateEverySteps = 1;
        TRAIN(config);
        auto* const step = find<QComboBox>("evaluation_step");
        QCOMPARE(step->count(), 5);
        int without = 0;
        for (int place = 1; place < step->count(); ++place) {
            const std::int64_t number = step->itemData(place).toLongLong();
            const auto images = stored(number, WeightsKind::Average);
            step->setCurrentIndex(place);
            emit step->activated(place);
            QTRY_COMPARE(table()->rowCount(), static_cast<int>(images.size()));
            QTRY_COMPARE(find("evaluation_no_images")->isVisible(), images.empty());
            without += images.empty() ? 1 : 0;
            QVERIFY(!images.empty() || note("evaluation_no_images").contains("were not kept"));
        }
        QVERIFY(without >= 2); // the newest and the most accurate one are kept
    }

    void Trend_hasEveryEvaluation()
    {
        RunConfig config = classifier(4);
        config.evaluateEverySteps = 2;
        TRAIN(config);
        find<QTabBar>("evaluation_views")->setCurrentIndex(4);
        const auto* const chart = find<LinePlot>("evaluation_accuracy");
        QVERIFY(chart->isVisible());
        QCOMPARE(chart->curves().size(), std::size_t{4});
        const auto records = store().evaluations();
        QCOMPARE(records.size(), std::size_t{4});
        for (const EvaluationRecord& record : records) {
            const std::size_t first = record.weights == WeightsKind::Average ? 0 : 1;
            const auto has = [&](std::size_t curve, double value) {
                const auto& points = chart->curves()[curve].points;
                return std::ranges::find(points, QPointF(static_cast<double>(record.step), value))
                       != points.end();
            };
            QVERIFY(has(first, record.accuracy));
            QVERIFY(has(first + 2, record.topFive()));
        }
    }

    static void ManyClasses_areShownAsPairs()
    {
        EvaluationPicture picture;
        picture.chosen.emplace();
        picture.chosen->examples = 3;
        for (int i = 0; i < 1001; ++i) {
            picture.classNames.append(QString("class %1").arg(i));
        }
        for (const auto& [label, predicted] : {std::pair{1000, 7}, {1000, 7}, {3, 4}}) {
            ClassifiedImage image;
            image.label = label;
            image.predicted = predicted;
            picture.classified.push_back(image);
        }
        picture.confusion = confusionCells(picture.classified);
        ConfusionPanel panel;
        panel.resize(500, 300);
        panel.show();
        panel.setPicture(picture, {});
        auto* const tabs = panel.findChild<QTabBar*>("evaluation_views");
        QCOMPARE(tabs->currentIndex(), 1);
        const auto* const pairs = panel.findChild<QTableView*>("evaluation_pairs");
        QVERIFY(pairs->isVisible());
        QCOMPARE(pairs->model()->rowCount(), 2);
        QCOMPARE(
            pairs->model()->index(0, ConfusedPairModel::Label).data().toString(), "class 1000");
        QCOMPARE(pairs->model()->index(0, ConfusedPairModel::Share).data().toString(), "100.0 %");
        tabs->setCurrentIndex(0);
        const auto* const message = panel.findChild<NoteLabel*>("evaluation_no_images");
        QVERIFY(message->isVisible() && message->note().contains("1001 classes"));
    }

    /// In <build>/screenshots for people to look at.
    void Pictures_inBothThemes()
    {
        RunConfig config = classifier(40);
        config.dataset = "synthetic";
        config.datasetPath.clear();
        config.batchPerTower = 32;
        config.evaluateEverySteps = 20;
        config.learningRate.initial = 0.05;
        TRAIN(config);
        clickRow(1);
        const auto* const answer = find<ClassAnswer>("evaluation_classes");
        QTRY_VERIFY(!answer->image().isNull());
        const auto grab = [&](const QString& name) {
            QTest::qWait(300);
            QVERIFY(window().grab().save(pictureFile(name)));
            expectRoom({"evaluation_top", "evaluation_trial"});
        };
        for (const auto* const theme : {"light", "dark"}) {
            show(theme, kClassesDockHeight);
            for (int tab = 0; tab < 5; ++tab) {
                find<QTabBar>("evaluation_views")->setCurrentIndex(tab);
                QTRY_VERIFY(tab != 3 || hasAllPictures());
                grab(QString("classes-%1-%2").arg(theme).arg(tab));
            }
            find<QTabBar>("evaluation_views")->setCurrentIndex(0);
            drop({folderOfPictures()});
            QTRY_COMPARE(files()->rowCount(), 3);
            grab(QString("classes-%1-files").arg(theme));
            find<QPushButton>("evaluation_files_close")->click();
        }
    }

private:
    [[nodiscard]] ConfusionView* matrix() const { return find<ConfusionView>("evaluation_matrix"); }
    [[nodiscard]] PictureCards* mistakes() const
    {
        return find<PictureCards>("evaluation_mistakes");
    }
    [[nodiscard]] bool hasAllPictures() const
    {
        return std::ranges::none_of(
            mistakes()->cards(), [](const PictureCard& card) { return card.image.isNull(); });
    }
    [[nodiscard]] QAbstractItemModel* files() const
    {
        return find<QTableView>("evaluation_files")->model();
    }
    /// Two pictures, and one that is none.
    [[nodiscard]] std::filesystem::path folderOfPictures() const
    {
        const auto folder = m_scene->folder() / "pictures of mine";
        std::filesystem::create_directories(folder);
        QImage image(64, 40, QImage::Format_RGB888);
        image.fill(Qt::darkGreen);
        image.save(toQString(folder / "a.png"));
        image.fill(Qt::darkRed);
        image.save(toQString(folder / "c.bmp"));
        QFile none(toQString(folder / "b.PNG"));
        if (none.open(QIODevice::WriteOnly)) {
            none.write("dear diary");
        }
        return folder;
    }
    [[nodiscard]] RunConfig classifier(std::int64_t steps) const
    {
        RunConfig config = m_scene->config(steps);
        config.evaluateAtEnd = true;
        config.checkpointEverySteps = steps;
        return config;
    }
    [[nodiscard]] std::vector<ClassifiedImage> stored(std::int64_t step, WeightsKind weights) const
    {
        return store().classifiedImages(step, weights);
    }
    /// Images by label and prediction, counted by hand.
    [[nodiscard]] std::map<std::pair<int, int>, qint64> counted(std::int64_t step) const
    {
        std::map<std::pair<int, int>, qint64> counts;
        for (const ClassifiedImage& image : stored(step, WeightsKind::Average)) {
            ++counts[{image.label, image.predicted}];
        }
        return counts;
    }
    void clickCell(const MatrixPlace& place) const
    {
        QTest::mouseClick(
            matrix(), Qt::LeftButton, {}, matrix()->cellRect(place).center().toPoint());
    }
    /// All rows have this label and prediction.
    [[nodiscard]] bool showsOnly(const QString& label, const QString& predicted) const
    {
        for (int row = 0; row < table()->rowCount(); ++row) {
            if (cell(row, ClassImageModel::Label).toString() != label
                || cell(row, ClassImageModel::Prediction).toString() != predicted) {
                return false;
            }
        }
        return true;
    }
};
LOCKSTEP_TEST(TestWindowClasses)
#include "test_window_classes.moc"
