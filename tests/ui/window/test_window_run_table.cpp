// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference_dialog.h"
#include "models/runs/run_table_model.h"
#include "panels/charts/chart_stack.h"
#include "theme/tower_colors.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <iterator>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// The table of runs in the window, with runs that the real lockstep-train made: by its header, its
/// filter, its keys.
class TestWindowRunTable : public WindowTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_made.path().string()));
        trainRun("long", 40, setting("evaluate.every_steps", "20"));
        trainRun(
            "short", 20,
            setting("learning_rate.initial", "0.05") + setting("checkpoint.keep", "3"));
    }

    /// Two runs in the default place.
    void init()
    {
        m_scene.emplace();
        fs::copy(m_made / "lockstep" / "runs", runsFolder(), fs::copy_options::recursive);
        m_long = runsFolder() / "long";
        m_short = runsFolder() / "short";
    }

    void Header_clicked_sorts()
    {
        showTable();
        const auto click = [&](int column) {
            const QHeaderView& header = *table().horizontalHeader();
            table().scrollTo(table().model()->index(0, column));
            QTest::mouseClick(
                header.viewport(), Qt::LeftButton, {},
                {header.sectionViewportPosition(column) + 8, header.height() / 2});
        };
        click(RunTableModel::Steps);
        QCOMPARE(names(), QStringList({"short", "long"}));
        click(RunTableModel::Steps);
        QCOMPARE(names(), QStringList({"long", "short"}));
        click(RunTableModel::Name);
        QCOMPARE(names(), QStringList({"long", "short"}));
        QCOMPARE(cell(0, RunTableModel::State), "Finished");
        QCOMPARE(cell(0, RunTableModel::Towers), "2 × 8");
        QVERIFY(cell(0, RunTableModel::LastAccuracy).endsWith(" %"));
    }

    void Filter_typed_leavesWhatMatches()
    {
        showTable(); // and the keyboard is in the filter
        QTest::keyClicks(QApplication::focusWidget(), "SHO gener");
        QCOMPARE(names(), QStringList("short"));
        const auto* const note = find<QLabel>("runs_note");
        QCOMPARE(note->text(), "1 of 2 runs");
        m_scene->press(QKeySequence(QKeySequence::SelectAll));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
        QCOMPARE(names().size(), 2);
    }

    void Columns_ofTheConfiguration_areShownWhenAskedFor()
    {
        showTable();
        QVERIFY(table().isColumnHidden(RunTableModel::Rate));
        QVERIFY(!table().isColumnHidden(RunTableModel::Towers));
        const auto toggle = [this](const char* title) {
            QMenu* const menu = action("Col&umns")->menu();
            emit menu->aboutToShow();
            for (QAction* const each : menu->actions()) {
                if (each->text() == QLatin1String(title)) {
                    each->trigger();
                }
            }
        };
        toggle("Rate");
        toggle("Optimizer");
        toggle("Steps");
        QVERIFY(!table().isColumnHidden(RunTableModel::Rate));
        QVERIFY(table().isColumnHidden(RunTableModel::Steps));
        const auto ofShort = static_cast<int>(names().indexOf("short"));
        QCOMPARE(cell(ofShort, RunTableModel::Rate), "0.05");
        QCOMPARE(cell(ofShort, RunTableModel::GlobalBatch), "16");
        QVERIFY(!cell(ofShort, RunTableModel::Optimizer).isEmpty());
        window().close(); // and the next time
        m_scene->open();
        QVERIFY(!table().isColumnHidden(RunTableModel::Rate));
        toggle("Rate");
        QVERIFY(table().isColumnHidden(RunTableModel::Rate));
    }

    void Return_opensTheRun()
    {
        showTable();
        select("long");
        QTest::keyClick(&table(), Qt::Key_Return);
        QTRY_COMPARE(m_scene->shownSteps(), 40);
        QCOMPARE(m_scene->run().folder(), m_long);
        QTRY_VERIFY(table().selectionModel()->selectedRows().front().data(EmphasisRole).toBool());
        QVERIFY(!action("&Remove from List")->isEnabled());
    }

    void Space_laysARunOverTheCharts()
    {
        window().openCommands().openRun(m_short);
        QTRY_COMPARE(m_scene->shownSteps(), 20);
        showTable();
        select("long");
        QTest::keyClick(&table(), Qt::Key_Space);
        QTRY_COMPARE(lossesBehind().size(), 1U);
        const Curve& loss = lossesBehind().front();
        QCOMPARE(loss.name, QString::fromUtf8("1 – long"));
        const std::vector<double> stored = storedCrossEntropies(m_long);
        QCOMPARE(loss.store->size(), std::ssize(stored));
        for (std::size_t step = 0; step < stored.size(); ++step) {
            QCOMPARE(
                loss.series().at(static_cast<std::int64_t>(step)),
                static_cast<float>(stored[step]));
        }
        QCOMPARE(
            plots()[ChartPlaces::kTestLoss]->curvesBehind().front().store->size(),
            2);                                                         // tested twice
        QCOMPARE(plots()[1]->curvesBehind().front().store->size(), 40); // a step each
        // The whole of it is in sight, beyond the shown run's end.
        QVERIFY(charts().range().last() >= 39.0);
        // Laid over itself, a run would only hide.
        select("short");
        QTest::keyClick(&table(), Qt::Key_Space);
        QTest::qWait(200);
        QCOMPARE(lossesBehind().size(), 1U);
        select("long");
        QTest::keyClick(&table(), Qt::Key_Space);
        QCOMPARE(lossesBehind().size(), 0U);
    }

    void Overlay_followsARunThatGrows()
    {
        showTable();
        select("short");
        QTest::keyClick(&table(), Qt::Key_Space);
        QTRY_COMPARE(lossesBehind().size(), 1U);
        QCOMPARE(lossesBehind().front().store->size(), 20);
        QCOMPARE(
            test::runProgram({"train", "--run", test::toText(m_short), "--resume", "--steps", "30"})
                .exitCode,
            0);
        QTRY_COMPARE(lossesBehind().front().store->size(), 30);
        const int row = static_cast<int>(names().indexOf("short"));
        QTRY_COMPARE(cell(row, RunTableModel::Steps), "30");
    }

    /// What was there first leaves when a run of another task comes; it may come again.
    void Overlay_ofAnotherTask_leavesAndIsSaidToBe()
    {
        const fs::path other = runsFolder() / "other";
        fs::copy(m_short, other, fs::copy_options::recursive);
        std::ifstream file(other / "run.toml");
        std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        const auto name = text.find("small.toml");
        QVERIFY(name != std::string::npos);
        text.replace(name, 5, "large");
        std::ofstream(other / "run.toml") << text;
        m_scene->press("Ctrl+7");
        QTRY_COMPARE(names().size(), 3);
        for (const char* const run : {"other", "short"}) {
            select(run);
            QTest::keyClick(&table(), Qt::Key_Space);
        }
        QTRY_COMPARE(lossesBehind().size(), 2U);
        QCOMPARE(
            lossesBehind().front().name,
            QString::fromUtf8("1 – other")); // nothing to compare it with
        select("long");
        QTest::keyClick(&table(), Qt::Key_Return);
        QTRY_COMPARE(lossesBehind().size(), 1U);
        QCOMPARE(lossesBehind().front().name, QString::fromUtf8("2 – short"));
        select("other");
        QTest::keyClick(&table(), Qt::Key_Space);
        QTRY_COMPARE(lossesBehind().size(), 2U);
        QCOMPARE(lossesBehind().back().name, QString::fromUtf8("1 – not comparable, other"));
        QVERIFY(lossesBehind().back().isForeign && !lossesBehind().front().isForeign);
        for (const PlotView* const plot : plots()) {
            const bool hasNone = plot == plots()[ChartPlaces::kLearningRate];
            QCOMPARE(plot->curvesBehind().size(), hasNone ? 0U : 2U);
        }
    }

    void Overlays_widthsAndColours_areThereNextTime()
    {
        showTable();
        select("long");
        QTest::keyClick(&table(), Qt::Key_Space);
        table().setColumnWidth(RunTableModel::Name, 333);
        const ColorOwner tower{ColorOwner::Kind::Tower, 1};
        chooseColor(tower, QColor(1, 2, 3));
        window().close();
        setChosenColors({});
        m_scene->open();
        QCOMPARE(chosenColor(tower), std::optional(QColor(1, 2, 3)));
        setChosenColors({});
        QTRY_COMPARE(lossesBehind().size(), 1U);
        QCOMPARE(lossesBehind().front().name, QString::fromUtf8("1 – long"));
        QCOMPARE(table().columnWidth(RunTableModel::Name), 333);
    }

    void Overlay_withoutARun_isShownAlone()
    {
        showTable();
        select("long");
        QTest::keyClick(&table(), Qt::Key_Space);
        QTRY_COMPARE(lossesBehind().size(), 1U);
        QVERIFY(m_scene->run().series() == nullptr);
        PlotView& loss = *plots().front();
        QVERIFY(!loss.isEmpty());
        // The cross-hair reads it.
        loss.range().crossHair().setAt(12.0);
        QCOMPARE(loss.range().crossHair().moment().value().step, 12);
        QVERIFY(!loss.grab().isNull());
    }

    void Tower_selected_standsOutInTheLossChart()
    {
        window().openCommands().openRun(m_long);
        QTRY_COMPARE(m_scene->shownSteps(), 40);
        auto& towers = *find<QTableView>("towers_table");
        QTRY_COMPARE(towers.model()->rowCount(), 2);
        PlotView& loss = *plots().front();
        const QImage before = loss.grab().toImage();
        towers.selectRow(0);
        QVERIFY(loss.grab().toImage() != before);
        towers.clearSelection();
        QCOMPARE(loss.grab().toImage(), before);
    }

    void Compare_showsResultsAndWhatDiffers()
    {
        constexpr int kResults = 6;
        showTable();
        table().selectAll();
        action("&Compare Runs")->trigger();
        auto* const dialog = window().findChild<ConfigurationDifferenceDialog*>();
        QVERIFY(dialog != nullptr);
        const auto& shown = *dialog->findChild<QTableWidget*>("difference_table");
        // Whatever the order of the two.
        QMap<QString, QSet<QString>> differences;
        for (int row = 0; row < shown.rowCount(); ++row) {
            static const QRegularExpression keys("<small>(.*)</small>"); // in tool tips alone
            const auto key = keys.match(shown.item(row, 0)->toolTip());
            if (key.hasMatch()) {
                differences[shown.item(row, 0)->text() + " " + key.captured(1)] = {
                    shown.item(row, 1)->text(), shown.item(row, 2)->text()};
            }
        }
        // In the words of the form.
        const QMap<QString, QSet<QString>> expected{
            {"Steps steps", {"40", "20"}},
            {"Learning rate learning_rate.initial", {"0.1", "0.05"}},
            {"Keep newest checkpoint.keep", {"5", "3"}},
            {"Evaluate every evaluate.every_steps", {"20 steps", "only at the end"}}};
        QCOMPARE(shown.columnCount(), 3);
        QCOMPARE(differences, expected);
        QVERIFY(shown.item(0, 0)->text().startsWith("Best test accuracy"));
        const auto resultOf = [&](const QString& name) {
            const auto* const cell = shown.findItems(name, Qt::MatchStartsWith).value(0);
            return QSet{shown.item(cell->row(), 1)->text(), shown.item(cell->row(), 2)->text()};
        };
        QCOMPARE(resultOf("Steps done"), (QSet<QString>{"40", "20"}));
        QCOMPARE(resultOf("Best test accuracy").size(), 2);
        dialog->findChild<QPushButton*>("copy")->click();
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 1 + kResults + expected.size() + 1); // head, rows, an end
        dialog->findChild<QCheckBox*>("show_all")->click();
        QCOMPARE(shown.rowCount(), kResults + static_cast<int>(configKeys(RunConfig()).size()));
        dialog->close();
    }

    void FineTune_setsUpARunWithItsWeights()
    {
        showTable();
        select("short");
        action("Fine-&Tune from This Run…")->trigger();
        RunPanel& panel = window().runPanel();
        const RunRequest request = panel.request();
        QCOMPARE(panel.problem(), QString());
        QCOMPARE(request.config.initialWeights.checkpoint, m_short.string());
        QCOMPARE(request.config.learningRate.initial, 0.05); // the settings of that run
        QVERIFY(!request.isResume && request.folder.empty());
        QVERIFY(m_scene->message().contains("with the weights of short"));
    }

    void Remove_forgetsARunOfAnotherPlace()
    {
        showTable();
        const fs::path elsewhere = m_scene->folder() / "elsewhere";
        fs::copy(m_short, elsewhere, fs::copy_options::recursive);
        window().openCommands().openRun(elsewhere);
        QTRY_COMPARE(names().size(), 3);
        select("elsewhere");
        QAction* const remove = action("&Remove from List");
        QVERIFY(remove->isEnabled());
        remove->trigger();
        QTRY_COMPARE(names().size(), 2);
        QVERIFY(RunFolder::isRun(elsewhere)); // its files stay
    }

private:
    [[nodiscard]] QTableView& table() const { return *find<QTableView>("runs_table"); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table().model()->index(row, column).data().toString();
    }
    [[nodiscard]] QStringList names() const
    {
        QStringList all;
        for (int row = 0; row < table().model()->rowCount(); ++row) {
            all.append(cell(row, RunTableModel::Name));
        }
        return all;
    }
    void select(const char* name) const
    {
        table().setFocus();
        table().selectRow(static_cast<int>(names().indexOf(name)));
    }
    [[nodiscard]] QAction* action(const QString& text) const
    {
        for (QAction* const each : table().actions()) {
            if (each->text() == text) {
                return each;
            }
        }
        throw std::runtime_error(text.toStdString());
    }
    [[nodiscard]] const std::vector<PlotView*>& plots() const { return charts().plots(); }
    [[nodiscard]] const std::vector<Curve>& lossesBehind() const
    {
        return plots().front()->curvesBehind();
    }
    void showTable()
    {
        m_scene->press("Ctrl+7");
        QTRY_COMPARE(names().size(), 2);
    }

    test::TemporaryFolder m_made;
    fs::path m_long;
    fs::path m_short;
};
LOCKSTEP_TEST(TestWindowRunTable)
#include "test_window_run_table.moc"
