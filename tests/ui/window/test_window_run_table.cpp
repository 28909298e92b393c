// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/configuration_difference_dialog.h"
#include "models/runs/run_table_model.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "theme/tower_colors.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QTableWidget>

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
    void initTestCase();
    void init();
    void cleanup() { END_SCENE(); }

    void Header_clicked_sorts();
    void Filter_typed_leavesWhatMatches();
    void Columns_ofTheConfiguration_areShownWhenAskedFor();
    void Return_opensTheRun();
    void Space_laysARunOverTheCharts();
    void Overlay_followsARunThatGrows();
    void Overlay_ofAnotherTask_isSaidToBe();
    void Overlays_widthsAndColours_areThereNextTime();
    void Overlay_withoutARun_isShownAlone();
    void Tower_selected_standsOutInTheLossChart();
    void Compare_showsWhatDiffers();
    void FineTune_setsUpARunWithItsWeights();
    void Remove_forgetsARunOfAnotherPlace();

private:
    [[nodiscard]] QTableView& table() const
    {
        return *m_scene->window().findChild<QTableView*>(QStringLiteral("runs_table"));
    }
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
        table().selectRow(static_cast<int>(names().indexOf(QString::fromLatin1(name))));
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
    [[nodiscard]] const std::vector<PlotView*>& plots() const
    {
        return m_scene->window().findChild<ChartsPanel*>()->plots();
    }
    [[nodiscard]] const std::vector<Curve>& lossesBehind() const
    {
        return plots().front()->curvesBehind();
    }
    void showTable()
    {
        m_scene->press("Ctrl+7");
        QTRY_COMPARE_WITH_TIMEOUT(names().size(), 2, 20'000);
    }

    test::TemporaryFolder m_made;
    fs::path m_long;
    fs::path m_short;
};

void TestWindowRunTable::initTestCase()
{
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_made.path().string()));
    trainRun("long", 40, setting("evaluate.every_steps", "20"));
    trainRun(
        "short", 20, setting("learning_rate.initial", "0.05") + setting("checkpoint.keep", "3"));
}

/// Two runs in the default place.
void TestWindowRunTable::init()
{
    m_scene.emplace();
    fs::copy(m_made / "lockstep" / "runs", runsFolder(), fs::copy_options::recursive);
    m_long = runsFolder() / "long";
    m_short = runsFolder() / "short";
}

void TestWindowRunTable::Header_clicked_sorts()
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
    QCOMPARE(names(), QStringList({QStringLiteral("short"), QStringLiteral("long")}));
    click(RunTableModel::Steps);
    QCOMPARE(names(), QStringList({QStringLiteral("long"), QStringLiteral("short")}));
    click(RunTableModel::Name);
    QCOMPARE(names(), QStringList({QStringLiteral("long"), QStringLiteral("short")}));
    QCOMPARE(cell(0, RunTableModel::State), QStringLiteral("Finished"));
    QCOMPARE(cell(0, RunTableModel::Towers), QStringLiteral("2 × 8"));
    QVERIFY(cell(0, RunTableModel::LastAccuracy).endsWith(QStringLiteral(" %")));
}

void TestWindowRunTable::Filter_typed_leavesWhatMatches()
{
    showTable(); // and the keyboard is in the filter
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("SHO gener"));
    QCOMPARE(names(), QStringList(QStringLiteral("short")));
    const auto* const note = m_scene->window().findChild<QLabel*>(QStringLiteral("runs_note"));
    QCOMPARE(note->text(), QStringLiteral("1 of 2 runs"));
    m_scene->press(QKeySequence(QKeySequence::SelectAll));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
    QCOMPARE(names().size(), 2);
}

void TestWindowRunTable::Columns_ofTheConfiguration_areShownWhenAskedFor()
{
    showTable();
    QVERIFY(table().isColumnHidden(RunTableModel::Rate));
    QVERIFY(!table().isColumnHidden(RunTableModel::Towers));
    const auto toggle = [this](const char* title) {
        QMenu* const menu = action(QStringLiteral("Col&umns"))->menu();
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
    const auto ofShort = static_cast<int>(names().indexOf(QStringLiteral("short")));
    QCOMPARE(cell(ofShort, RunTableModel::Rate), QStringLiteral("0.05"));
    QCOMPARE(cell(ofShort, RunTableModel::GlobalBatch), QStringLiteral("16"));
    QVERIFY(!cell(ofShort, RunTableModel::Optimizer).isEmpty());
    m_scene->window().close(); // and the next time
    m_scene->open();
    QVERIFY(!table().isColumnHidden(RunTableModel::Rate));
    toggle("Rate");
    QVERIFY(table().isColumnHidden(RunTableModel::Rate));
}

void TestWindowRunTable::Return_opensTheRun()
{
    showTable();
    select("long");
    QTest::keyClick(&table(), Qt::Key_Return);
    QTRY_COMPARE(m_scene->shownSteps(), 40);
    QCOMPARE(m_scene->run().folder(), m_long);
    QTRY_VERIFY(table().selectionModel()->selectedRows().front().data(EmphasisRole).toBool());
    QVERIFY(!action(QStringLiteral("&Remove from List"))->isEnabled());
}

void TestWindowRunTable::Space_laysARunOverTheCharts()
{
    m_scene->window().openCommands().openRun(m_short);
    QTRY_COMPARE(m_scene->shownSteps(), 20);
    showTable();
    select("long");
    QTest::keyClick(&table(), Qt::Key_Space);
    QTRY_COMPARE(lossesBehind().size(), 1U);
    const Curve& loss = lossesBehind().front();
    QCOMPARE(loss.name, QStringLiteral("long"));
    const std::vector<double> stored = storedLosses(m_long);
    QCOMPARE(loss.store->size(), std::ssize(stored));
    for (std::size_t step = 0; step < stored.size(); ++step) {
        QCOMPARE(
            loss.series().at(static_cast<std::int64_t>(step)), static_cast<float>(stored[step]));
    }
    QCOMPARE(plots().back()->curvesBehind().front().store->size(), 2); // tested twice
    QCOMPARE(plots()[1]->curvesBehind().front().store->size(), 40);    // a step each
    // The whole of it is in sight, beyond the shown run's end.
    QVERIFY(m_scene->window().findChild<ChartsPanel*>()->range().last() >= 39.0);
    // Laid over itself, a run would only hide.
    select("short");
    QTest::keyClick(&table(), Qt::Key_Space);
    QTest::qWait(200);
    QCOMPARE(lossesBehind().size(), 1U);
    select("long");
    QTest::keyClick(&table(), Qt::Key_Space);
    QCOMPARE(lossesBehind().size(), 0U);
}

void TestWindowRunTable::Overlay_followsARunThatGrows()
{
    showTable();
    select("short");
    QTest::keyClick(&table(), Qt::Key_Space);
    QTRY_COMPARE(lossesBehind().size(), 1U);
    QCOMPARE(lossesBehind().front().store->size(), 20);
    QCOMPARE(
        test::runProgram({QStringLiteral("train"), QStringLiteral("--run"), test::toText(m_short),
                          QStringLiteral("--resume"), QStringLiteral("--steps"),
                          QStringLiteral("30")})
            .exitCode,
        0);
    QTRY_COMPARE_WITH_TIMEOUT(lossesBehind().front().store->size(), 30, 15'000);
    const int row = static_cast<int>(names().indexOf(QStringLiteral("short")));
    QTRY_COMPARE(cell(row, RunTableModel::Steps), QStringLiteral("30"));
}

/// Whether it was there first or the run.
void TestWindowRunTable::Overlay_ofAnotherTask_isSaidToBe()
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
    QTRY_COMPARE_WITH_TIMEOUT(names().size(), 3, 20'000);
    for (const char* const run : {"other", "short"}) {
        select(run);
        QTest::keyClick(&table(), Qt::Key_Space);
    }
    QTRY_COMPARE(lossesBehind().size(), 2U);
    QCOMPARE(lossesBehind().front().name, QStringLiteral("other")); // nothing to compare it with
    select("long");
    QTest::keyClick(&table(), Qt::Key_Return);
    QTRY_COMPARE(lossesBehind().front().name, QStringLiteral("not comparable: other"));
    QVERIFY(lossesBehind().front().isForeign && !lossesBehind().back().isForeign);
    QCOMPARE(lossesBehind().back().name, QStringLiteral("short"));
    for (const PlotView* const plot : plots()) {
        QCOMPARE(plot->curvesBehind().size(), 2U);
    }
}

void TestWindowRunTable::Overlays_widthsAndColours_areThereNextTime()
{
    showTable();
    select("long");
    QTest::keyClick(&table(), Qt::Key_Space);
    table().setColumnWidth(RunTableModel::Name, 333);
    const ColorOwner tower{ColorOwner::Kind::Tower, 1};
    chooseColor(tower, QColor(1, 2, 3));
    m_scene->window().close();
    setChosenColors({});
    m_scene->open();
    QCOMPARE(chosenColor(tower), std::optional(QColor(1, 2, 3)));
    setChosenColors({});
    QTRY_COMPARE(lossesBehind().size(), 1U);
    QCOMPARE(lossesBehind().front().name, QStringLiteral("long"));
    QCOMPARE(table().columnWidth(RunTableModel::Name), 333);
}

void TestWindowRunTable::Overlay_withoutARun_isShownAlone()
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

void TestWindowRunTable::Tower_selected_standsOutInTheLossChart()
{
    m_scene->window().openCommands().openRun(m_long);
    QTRY_COMPARE(m_scene->shownSteps(), 40);
    auto& towers = *m_scene->window().findChild<QTableView*>(QStringLiteral("towers_table"));
    QTRY_COMPARE(towers.model()->rowCount(), 2);
    PlotView& loss = *plots().front();
    const QImage before = loss.grab().toImage();
    towers.selectRow(0);
    QVERIFY(loss.grab().toImage() != before);
    towers.clearSelection();
    QCOMPARE(loss.grab().toImage(), before);
}

void TestWindowRunTable::Compare_showsWhatDiffers()
{
    showTable();
    table().selectAll();
    action(QStringLiteral("&Compare Configurations"))->trigger();
    auto* const dialog = m_scene->window().findChild<ConfigurationDifferenceDialog*>();
    QVERIFY(dialog != nullptr);
    const auto& shown = *dialog->findChild<QTableWidget*>(QStringLiteral("difference_table"));
    // Whatever the order of the two.
    QMap<QString, QSet<QString>> differences;
    for (int row = 0; row < shown.rowCount(); ++row) {
        differences[shown.item(row, 0)->text()] = {
            shown.item(row, 1)->text(), shown.item(row, 2)->text()};
    }
    const QMap<QString, QSet<QString>> expected{
        {QStringLiteral("steps"), {QStringLiteral("40"), QStringLiteral("20")}},
        {QStringLiteral("learning_rate.initial"), {QStringLiteral("0.1"), QStringLiteral("0.05")}},
        {QStringLiteral("checkpoint.keep"), {QStringLiteral("5"), QStringLiteral("3")}},
        {QStringLiteral("evaluate.every_steps"), {QStringLiteral("20"), QStringLiteral("0")}}};
    QCOMPARE(differences, expected);
    dialog->findChild<QPushButton*>(QStringLiteral("copy"))->click();
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 1 + expected.size() + 1); // head, keys, and the end of the last line
    dialog->findChild<QCheckBox*>(QStringLiteral("show_all"))->click();
    QCOMPARE(shown.rowCount(), static_cast<int>(configKeys(RunConfig()).size()));
    dialog->close();
}

void TestWindowRunTable::FineTune_setsUpARunWithItsWeights()
{
    showTable();
    select("short");
    action(QStringLiteral("Fine-&Tune from This Run…"))->trigger();
    RunPanel& panel = m_scene->window().runPanel();
    const RunRequest request = panel.request();
    QCOMPARE(panel.problem(), QString());
    QCOMPARE(request.config.initialWeights.checkpoint, m_short.string());
    QCOMPARE(request.config.learningRate.initial, 0.05); // the settings of that run
    QVERIFY(!request.isResume && request.folder.empty());
    QVERIFY(m_scene->message().contains(QStringLiteral("with the weights of short")));
}

void TestWindowRunTable::Remove_forgetsARunOfAnotherPlace()
{
    showTable();
    const fs::path elsewhere = m_scene->folder() / "elsewhere";
    fs::copy(m_short, elsewhere, fs::copy_options::recursive);
    m_scene->window().openCommands().openRun(elsewhere);
    QTRY_COMPARE(names().size(), 3);
    select("elsewhere");
    QAction* const remove = action(QStringLiteral("&Remove from List"));
    QVERIFY(remove->isEnabled());
    remove->trigger();
    QTRY_COMPARE(names().size(), 2);
    QVERIFY(RunFolder::isRun(elsewhere)); // its files stay
}

LOCKSTEP_TEST(TestWindowRunTable)
#include "test_window_run_table.moc"
