// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/form_parts.h"
#include "ui/run_panel_scene.h"
#include "widgets/forms/window_style.h"

using namespace lockstep;
using namespace lockstep::ui;

/// What stands under "More options", and what is seen of single inputs.
class TestRunPanelOptions : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Options_opened_haveTheirHeadAtTheTop()
    {
        panel().resize(300, 600);
        QTest::mouseClick(m_scene->more().findChild<QToolButton*>(), Qt::LeftButton);
        const QWidget* const view = panel().findChild<QScrollArea*>()->viewport();
        QTRY_COMPARE(m_scene->more().mapTo(view, QPoint()).y(), 0);
        QVERIFY(view->rect().contains(search()->mapTo(view, search()->rect().bottomRight())));
    }

    void Options_each_standUnderTheHeadingOfTheirGroup()
    {
        QVERIFY(shownKeys().size() > 20);
        QCoreApplication::processEvents();
        const QList<QLabel*> headings = shownHeadings();
        QCOMPARE(headings.size(), 8);
        QCOMPARE(headings.front()->text(), "Model");
        const auto headingOf = [&](const char* key) {
            QString text;
            for (const QLabel* heading : headings) {
                const bool isAbove = heading->y() < m_scene->field(key)->y();
                text = isAbove ? heading->text() : text;
            }
            return text;
        };
        QCOMPARE(headingOf("input.crop"), "Data and input");
        QCOMPARE(headingOf("optimizer.name"), "Optimizer");
        QCOMPARE(headingOf("threads_per_tower"), "Precision and devices");
        QCOMPARE(headingOf("run.folder"), "Checkpoints and records");
        QCOMPARE(headingOf("alerts.tower_wait"), "Alerts");
        QCOMPARE(headingOf("experiment.class"), "Experiment");
    }

    void Search_typed_leavesWhatHasAllWords_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("keys");
        QTest::newRow("label") << "KEEP best" << QStringList{"checkpoint.keep_best"};
        QTest::newRow("key") << "input.prefetch" << QStringList{"input.prefetch_batches"};
        QTest::newRow("help") << "empty new folder" << QStringList{"run.folder"};
        QTest::newRow("nothing") << "zebra" << QStringList();
    }

    void Search_typed_leavesWhatHasAllWords()
    {
        QFETCH(const QString, typed);
        QFETCH(const QStringList, keys);
        const auto all = shownKeys();
        QTest::keyClicks(search(), typed);
        QCOMPARE(shownKeys(), keys);
        QCOMPARE(shownHeadings().size(), keys.size()); // of one group each
        QTest::keyClick(search(), Qt::Key_Escape);
        QVERIFY(search()->text().isEmpty());
        QCOMPARE(shownKeys(), all);
    }

    void Search_byKeyboard_isReachedAndLeft()
    {
        auto* const button = m_scene->more().findChild<QToolButton*>();
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QTest::keyClick(button, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), search());
        QVERIFY(!search()->accessibleName().isEmpty());
        QTest::keyClicks(search(), "keep best");
        QTest::keyClick(search(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), m_scene->input("checkpoint.keep_best"));
    }

    void Option_ofAnotherOptimizer_isNotOffered()
    {
        QVERIFY(!shownKeys().contains("optimizer.beta1"));
        auto* const optimizer = m_scene->find<QComboBox>("optimizer.name");
        optimizer->setCurrentIndex(optimizer->findData("adam"));
        QTRY_VERIFY(shownKeys().contains("optimizer.beta1"));
        QVERIFY(!shownKeys().contains("optimizer.momentum"));
    }

    void Option_thatIsWrong_isShownWhateverIsSearched()
    {
        m_scene->more().setOpen(true);
        m_scene->type("checkpoint.keep_best", "-1");
        QTRY_VERIFY(!m_scene->shownProblem("checkpoint.keep_best").isEmpty());
        QTest::keyClicks(search(), "zebra");
        QCOMPARE(shownKeys(), QStringList{"checkpoint.keep_best"});
    }

    void Rate_thatLearnsNothing_isWarnedOf()
    {
        const FormField* const rate = m_scene->field("learning_rate.initial");
        for (const auto& [typed, said] :
             {std::pair("0", "never change"), std::pair("1e9", "infinite"),
              std::pair("0.05", "gives 0.2")}) {
            m_scene->type(rate->key(), typed);
            QTRY_VERIFY2(rate->note().contains(said), typed);
            QVERIFY(panel().isReady()); // it is said, not refused
        }
    }

    void CheckBox_inEitherPalette_standsOut()
    {
        WindowStyle style;
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            QCheckBox box;
            box.setStyle(&style);
            box.setPalette(palette);
            box.resize(box.sizeHint());
            const QImage picture = box.grab().toImage();
            double best = 0.0; // along a line through the box
            for (int x = 0; x < picture.width(); ++x) {
                const QColor color = picture.pixelColor(x, picture.height() / 2);
                best = std::max(best, contrast(color, palette.color(QPalette::Base)));
            }
            QVERIFY2(best >= 3.0, qPrintable(QString::number(best)));
        }
    }

    void Words_thatCannotBeChosen_canBeRead()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const QColor text = palette.color(QPalette::Disabled, QPalette::Text);
            QVERIFY(contrast(text, palette.color(QPalette::Base)) >= 4.0);
            QVERIFY(contrast(text, palette.color(QPalette::Text)) >= 2.0); // not like the others
        }
    }

private:
    [[nodiscard]] QLineEdit* search() const { return m_scene->find<QLineEdit>("options_search"); }
    [[nodiscard]] QWidget& list() const
    {
        m_scene->more().setOpen(true);
        return *panel().findChild<OptionList*>();
    }
    [[nodiscard]] QStringList shownKeys() const
    {
        QStringList keys;
        for (const FormField* each : list().findChildren<FormField*>()) {
            if (each->isVisible()) {
                keys.append(each->key());
            }
        }
        return keys;
    }
    /// From top to bottom.
    [[nodiscard]] QList<QLabel*> shownHeadings() const
    {
        QList<QLabel*> headings;
        for (QLabel* each : list().findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (each->isVisible() && each->font().weight() == QFont::DemiBold) {
                headings.append(each);
            }
        }
        std::ranges::sort(headings, {}, [](const QLabel* each) { return each->y(); });
        return headings;
    }
};
LOCKSTEP_TEST(TestRunPanelOptions)
#include "test_run_panel_options.moc"
