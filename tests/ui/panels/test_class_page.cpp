// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/confusion_panel.h"
#include "panels/evaluation/example_table.h"
#include "support/lockstep_test.h"
#include "ui/model_cells.h"
#include "widgets/forms/note_label.h"
#include "widgets/pictures/confusion_view.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QStringList namesOf(int classes)
{
    QStringList names;
    for (int i = 0; i < classes; ++i) {
        names.append(QString("a class of number %1").arg(i));
    }
    return names;
}

/// A matrix that names no class twice.
void fill(ConfusionView& view, int classes)
{
    const auto sides = static_cast<std::size_t>(classes);
    view.setMatrix(
        std::vector<qint64>(sides * sides, 3), std::vector<qint64>(sides, 3 * classes),
        namesOf(classes));
}

/// Images of one label each, taken for the class after it, of these losses.
std::vector<ClassImageRow> rowsOfLosses(const std::vector<double>& losses)
{
    std::vector<ClassImageRow> rows;
    for (const double loss : losses) {
        const int number = static_cast<int>(rows.size());
        rows.push_back({number, number, number + 1, 0.5, std::exp(-loss), loss});
    }
    return rows;
}

/// What an evaluation says of images of these labels and predictions.
EvaluationPicture pictureOf(const std::vector<std::pair<int, int>>& images, int classes)
{
    EvaluationPicture picture;
    picture.chosen.emplace();
    picture.chosen->examples = std::ssize(images);
    picture.classNames = namesOf(classes);
    for (const auto& [label, predicted] : images) {
        ClassifiedImage image;
        image.label = label;
        image.predicted = predicted;
        picture.classified.push_back(image);
    }
    picture.confusion = confusionCells(picture.classified);
    return picture;
}

QList<qint64> listed(const ClassTable& table)
{
    const QAbstractItemModel& model = *table.model();
    QList<qint64> examples;
    for (int row = 0; row < model.rowCount(); ++row) {
        examples.append(model.index(row, 0).data(ExampleRole).toLongLong());
    }
    return examples;
}

} // namespace

/// What is said of a network that classifies, without a run.
class TestClassPage : public QObject
{
    Q_OBJECT

private slots:
    /// Where every cell measured all names it took longer than this by far.
    static void Matrix_ofManyClasses_isPaintedAtOnce()
    {
        ConfusionView view;
        view.resize(800, 600);
        fill(view, ConfusionView::kMostClasses);
        view.show();
        QElapsedTimer clock;
        clock.start();
        QVERIFY(!view.grab().isNull());
        QVERIFY2(clock.elapsed() < 1500, qPrintable(QString::number(clock.elapsed())));
    }

    static void Matrix_otherFont_isLaidOutAnew()
    {
        ConfusionView view;
        view.resize(800, 600);
        fill(view, 4);
        const QRectF before = view.cellRect({0, 0});
        QFont font = view.font();
        font.setPointSizeF(1.5 * font.pointSizeF());
        view.setFont(font);
        ConfusionView other;
        other.setFont(font);
        other.resize(800, 600);
        fill(other, 4);
        QVERIFY(view.cellRect({0, 0}).left() > before.left());
        QCOMPARE(view.cellRect({0, 0}), other.cellRect({0, 0}));
    }

    /// As in the list of pairs: of three images one has no prediction.
    static void Matrix_imagesOfNoClass_countAmongTheirLabel()
    {
        ConfusionPanel panel;
        panel.setPicture(
            pictureOf({{0, 1}, {0, 1}, {0, ClassifiedImage::kNoClass}, {1, 1}}, 2), {});
        panel.findChild<QCheckBox*>("evaluation_shares")->setChecked(true);
        const auto* const matrix = panel.findChild<ConfusionView*>();
        QCOMPARE(matrix->cellText({0, 1}), "66.7");
        QCOMPARE(matrix->cellText({1, 1}), "100.0");
    }

    static void ManyClasses_withoutImages_saysWhy()
    {
        const QString reason = "What this evaluation says was not kept.";
        ConfusionPanel panel;
        panel.resize(500, 300);
        panel.show();
        panel.setPicture(pictureOf({}, 1001), reason);
        auto* const tabs = panel.findChild<QTabBar*>("evaluation_views");
        const auto* const message = panel.findChild<NoteLabel*>("evaluation_no_images");
        for (int view = 0; view < 2; ++view) {
            tabs->setCurrentIndex(view);
            QVERIFY(message->isVisible());
            QCOMPARE(message->note(), reason);
        }
        panel.setPicture(pictureOf({{1000, 7}}, 1001), {});
        QVERIFY(!message->isVisible()); // the pairs
        tabs->setCurrentIndex(0);
        QVERIFY(message->isVisible() && message->note().contains("1001 classes"));
    }

    static void Pairs_underTheKeyboard_chooseNothing()
    {
        ConfusionPanel panel;
        panel.resize(500, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.setPicture(pictureOf({{0, 1}, {0, 1}, {1, 2}}, 3), {});
        panel.findChild<QTabBar*>("evaluation_views")->setCurrentIndex(1);
        std::vector<ClassFilter> wanted;
        connect(&panel, &ConfusionPanel::filterWanted, &panel, [&](const ClassFilter& filter) {
            wanted.push_back(filter);
        });
        auto* const pairs = panel.findChild<QTableView*>("evaluation_pairs");
        pairs->setFocus(Qt::TabFocusReason);
        QVERIFY(pairs->hasFocus());
        QVERIFY(wanted.empty());
        QTest::mouseClick(
            pairs->viewport(), Qt::LeftButton, {},
            pairs->visualRect(pairs->model()->index(0, 0)).center());
        QTest::keyClick(pairs, Qt::Key_Down);
        QCOMPARE(wanted.size(), std::size_t{2});
        QCOMPARE(wanted[0], (ClassFilter{0, 1, false}));
        QCOMPARE(wanted[1], (ClassFilter{1, 2, false}));
    }

    /// A checkpoint would be opened for it.
    static void Table_underTheKeyboard_choosesNothing()
    {
        ClassTable table;
        table.resize(500, 300);
        table.show();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.setRows(rowsOfLosses({1.0, 3.0, 2.0}), namesOf(4));
        const QSignalSpy chosen(&table, &ClassTable::chosen);
        table.setFocus(Qt::TabFocusReason);
        QVERIFY(table.hasFocus());
        QCOMPARE(chosen.size(), 0);
        QVERIFY(!table.selected());
        // The first key chooses the first row, the most wrong one; the next one that below.
        QTest::keyClick(&table, Qt::Key_Down);
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[0][0].toLongLong(), 1);
        QCOMPARE(chosen[1][0].toLongLong(), 2);
        // Coming back, it is still chosen.
        table.clearFocus();
        table.setFocus(Qt::ActiveWindowFocusReason);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(table.selected(), std::optional<qint64>(2));
    }

    static void Table_lossesThatAreNoNumbers_comeFirst()
    {
        ClassTable table;
        table.setRows(rowsOfLosses({1.0, kNone, 3.0, kNone, 2.0, kNone, 0.5, 4.0}), namesOf(9));
        QList<qint64> examples = listed(table);
        std::ranges::sort(examples.begin(), examples.begin() + 3); // as good as each other
        QCOMPARE(examples, (QList<qint64>{1, 3, 5, 7, 2, 4, 0, 6}));
        QAbstractItemModel* const model = table.model();
        QCOMPARE(shown(*model, 0, ClassImageModel::Loss), "nan");
        model->sort(ClassImageModel::LabelProbability, Qt::AscendingOrder);
        examples = listed(table);
        std::ranges::sort(examples.begin(), examples.begin() + 3);
        QCOMPARE(examples, (QList<qint64>{1, 3, 5, 7, 2, 4, 0, 6}));
    }

    static void Filter_staysWhileItsClassIsThere()
    {
        ClassTable table;
        const auto rows = rowsOfLosses({1.0, 3.0, 2.0, 4.0});
        const auto* const label = table.findChild<QComboBox*>("evaluation_label");
        table.setRows(rows, namesOf(5));
        table.setFilter({3, std::nullopt, false});
        QCOMPARE(listed(table), (QList<qint64>{3}));
        table.setRows(rows, namesOf(7)); // some were taken for classes that have no name
        QCOMPARE(listed(table), (QList<qint64>{3}));
        QCOMPARE(label->count(), 8);
        table.setRows({}, {}); // nothing could be read this time
        QCOMPARE(label->currentText(), namesOf(7)[3]);
        table.setRows(rows, namesOf(7));
        QCOMPARE(listed(table), (QList<qint64>{3}));
        table.setRows(rows, namesOf(3));
        QCOMPARE(table.filter(), ClassFilter());
        table.setFilter({std::nullopt, 2, false});
        table.clear();
        table.setRows(rows, namesOf(5));
        QCOMPARE(table.filter(), ClassFilter());
        QCOMPARE(listed(table).size(), 4);
    }
};
LOCKSTEP_TEST(TestClassPage)
#include "test_class_page.moc"
