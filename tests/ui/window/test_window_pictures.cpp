// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_title.h"
#include "dialogs/picture_dialog.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "ui/pictures.h"
#include "ui/window_witness.h"

#include <QSvgRenderer>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// Pictures of the charts, and the line that says when a run is no proper one.
class TestWindowPictures : public WindowTest
{
    Q_OBJECT

private slots:
    void Charts_exported_arePicturesOfAll()
    {
        train();
        const fs::path file = m_scene->folder() / "charts.png";
        for (const int scale : {1, 2}) {
            fs::remove(file);
            save(actions().exportCharts, {{1000, 700}, scale}, file);
            QCOMPARE(QImage(toQString(file)).size(), QSize(1000, 700) * scale);
        }
        QVERIFY(m_scene->message().contains(toQString(file)));
        QVERIFY2(
            m_scene->message().contains("2,000 × 1,400 pixels"), qPrintable(m_scene->message()));
        const fs::path svg = m_scene->folder() / "charts.svg";
        save(actions().exportCharts, {{1000, 700}, 2, false, true}, svg);
        QFile drawing(toQString(svg));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray text = drawing.readAll();
        QCOMPARE(QSvgRenderer(text).viewBox(), QRect(0, 0, 1000, 700));
        for (const char* const title : {">Loss<", ">Throughput<", ">Accuracy<"}) {
            QVERIFY(text.contains(title));
        }
    }

    void Charts_intoNoFolder_areNotWritten()
    {
        train();
        save(actions().exportCharts, {{640, 480}}, m_scene->folder() / "nowhere" / "charts.png");
        QVERIFY(!fs::exists(m_scene->folder() / "nowhere"));
    }

    void Charts_exported_haveTheColoursThatWereChosen_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<bool>("isDark");
        for (const char* const theme : {"light", "dark"}) {
            QTest::addRow("light from %s", theme) << theme << false;
            QTest::addRow("dark from %s", theme) << theme << true;
        }
    }

    void Charts_exported_haveTheColoursThatWereChosen()
    {
        QFETCH(const QString, theme);
        QFETCH(const bool, isDark);
        train();
        m_scene->chooseTheme(qPrintable(theme));
        const ThemeColors colors = themeColors(isDark ? darkPalette() : lightPalette());
        const PictureChoice choice{{800, 600}, 1, isDark};
        for (const PlotView* const chart :
             std::initializer_list<const PlotView*>{nullptr, &loss()}) {
            const QImage picture = saved(chart, choice);
            QCOMPARE(picture.pixelColor(0, 0), colors.window);
            int ofCard = 0; // most of it is the ground of charts
            for (int x = 0; x < picture.width(); ++x) {
                ofCard += picture.pixelColor(x, picture.height() - 15) == colors.card ? 1 : 0;
            }
            QVERIFY2(ofCard > picture.width() / 3, qPrintable(QString::number(ofCard)));
        }
        m_scene->chooseTheme("system");
    }

    void Charts_exported_haveNothingForTheHand()
    {
        train();
        const PictureChoice choice{{800, 600}, 1, false};
        const QColor card = themeColors(lightPalette()).card;
        for (PlotView* const chart : charts().plots()) {
            const QImage picture = saved(chart, choice);
            if (!chart->room().isFoldable()) {
                continue;
            }
            const QRect mark = chart->room().foldMark().toRect().adjusted(2, 2, -2, -2);
            QVERIFY(!mark.isEmpty());
            for (int y = mark.top(); y <= mark.bottom(); ++y) {
                for (int x = mark.left(); x <= mark.right(); ++x) {
                    QCOMPARE(picture.pixelColor(x, y), card);
                }
            }
        }
        const QImage without = saved(&loss(), choice);
        charts().range().crossHair().setRow(15);
        loss().setFocus(Qt::TabFocusReason);
        QCOMPARE(saved(&loss(), choice), without);
    }

    void Charts_exported_showWhatThePersonZoomedAndHid()
    {
        window().resize(1440, 900); // with room for the legend
        train();
        const PictureChoice choice{{800, 600}, 1, false};
        const QImage whole = saved(&loss(), choice);
        charts().range().zoomTo(10, 20);
        const QImage part = saved(&loss(), choice);
        QVERIFY(part != whole);
        charts().plots().front()->setLogarithmic(true);
        const QImage logarithmic = saved(&loss(), choice);
        QVERIFY(logarithmic != part);
        charts().plots().front()->setLogarithmic(false);
        QCOMPARE(saved(&loss(), choice), part);
        charts().range().fit();
        QCOMPARE(saved(&loss(), choice), whole);
        loss().grab(); // its legend stands where it is painted
        const QRectF line = loss().room().titleLine();
        bool isHidden = false;
        for (int x = qFloor(line.right()) - 2; x > line.center().x() && !isHidden; x -= 2) {
            isHidden = loss().legend().toggle({double(x), line.center().y()}, false);
        }
        QVERIFY(isHidden);
        QVERIFY(saved(&loss(), choice) != whole);
    }

    void Chart_exportedAlone_isItsOwnPicture()
    {
        train();
        QList<QAction*> entries = actions().exportOne->actions();
        entries.removeIf([](const QAction* entry) { return !entry->isVisible(); });
        QCOMPARE(entries.size(), static_cast<qsizetype>(charts().plots().size()));
        QList<QImage> pictures;
        for (int i = 0; i < entries.size(); ++i) {
            const PlotView& plot = *charts().plots()[static_cast<std::size_t>(i)];
            QCOMPARE(entries[i]->text(), plot.accessibleName() + "…");
            const QRect place = plot.geometry();
            const QImage picture = saved(&plot, {{640, 360}, 3, i % 2 == 1});
            QCOMPARE(picture.size(), QSize(1920, 1080));
            QVERIFY(!pictures.contains(picture));
            QVERIFY(picture.save(pictureFile(QString("exported-%1").arg(i))));
            QCOMPARE(plot.geometry(), place);
            pictures.append(picture);
        }
    }

    void Name_ofAPicture_isThatOfRunAndChart()
    {
        train();
        setTitle(m_scene->run().folder(), "CIFAR-10 · 4 × 32 · a/b: rate 0.1?");
        const auto proposed = [this](QAction* action, const PictureChoice& choice) {
            click(ask(action, choice));
            return m_scene->fileNameEdit().text();
        };
        QCOMPARE(
            proposed(actions().exportOne->actions().front(), {{640, 480}}),
            "CIFAR-10 4 x 32 a b rate 0.1 - loss.png");
        auto* const dialog = window().findChild<QFileDialog*>();
        QCOMPARE(
            dialog->directory().absolutePath(),
            QDir(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation)).exists()
                ? QStandardPaths::writableLocation(QStandardPaths::PicturesLocation)
                : QDir::homePath());
        const fs::path folder = m_scene->folder() / "mine";
        fs::create_directory(folder);
        m_scene->answer(folder / "a.png");
        QCOMPARE(
            proposed(actions().exportCharts, {{640, 480}, 1, false, true}),
            "CIFAR-10 4 x 32 a b rate 0.1 - charts.svg");
        QCOMPARE(window().findChild<QFileDialog*>()->directory().absolutePath(), toQString(folder));
        m_scene->answer(folder / "a.svg");
    }

    void Choices_ofAPicture_areKept()
    {
        train();
        save(actions().exportCharts, {{1234, 567}, 3, true}, m_scene->folder() / "a.png");
        actions().exportCharts->trigger();
        auto* dialog = window().findChild<PictureDialog*>();
        QCOMPARE(dialog->choice().size, QSize(1234, 567));
        QCOMPARE(dialog->choice().scale, 3);
        QVERIFY(dialog->choice().isDark && !dialog->choice().isSvg);
        const auto* const result = dialog->findChild<NoteLabel*>("picture_result");
        QVERIFY2(result->note().contains("3,702 × 1,701"), qPrintable(result->note()));
        QVERIFY(!dialog->isModal());
        dialog->reject();
    }

    void Picture_tooLarge_isNotOffered()
    {
        train();
        PictureDialog& dialog = ask(actions().exportCharts, {{16384, 600}, 2});
        click(dialog);
        QVERIFY(dialog.isVisible());
        QVERIFY(window().findChild<QFileDialog*>() == nullptr);
        dialog.reject();
    }

    void Chart_copied_isOnTheClipboardAsPixelsAndAsDrawing()
    {
        train();
        QGuiApplication::clipboard()->clear();
        loss().setFocus(Qt::ShortcutFocusReason);
        m_scene->press("Ctrl+C");
        const QMimeData* const data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data != nullptr && data->hasImage());
        QCOMPARE(
            data->imageData().value<QImage>().size(),
            (QSizeF(loss().size()) * window().devicePixelRatioF()).toSize());
        QVERIFY(data->data("image/svg+xml").contains(">Loss<"));
    }

    void ChartMenu_atRightClick_offersPictures()
    {
        const auto menuOf = [this]() -> QMenu* {
            emit loss().customContextMenuRequested(loss().rect().center());
            return loss().findChild<QMenu*>();
        };
        QVERIFY(menuOf() == nullptr); // there is nothing to copy
        train();
        QMenu* const menu = menuOf();
        QVERIFY(menu != nullptr);
        QStringList texts;
        for (const QAction* const action : menu->actions()) {
            texts.append(action->text().remove('&'));
        }
        QCOMPARE(texts, (QStringList{"Copy Chart", "Export Chart…"}));
        menu->close();
    }

    void Experiment_whileItsRunIsShown_isSaid()
    {
        const auto* const line = find<NoteLabel>("run_line");
        QVERIFY(line != nullptr && !line->isVisible());
        RunConfig config = m_scene->config(30);
        config.experiment.shards = "same";
        WindowTest::train(config);
        QVERIFY(line->isVisible());
        QTRY_VERIFY(line->width() > 200);
        const QString said =
            "Experiment: all towers get the same rows; found at step 20, by their losses";
        QCOMPARE(line->note(), said);
        const RunSeries& series = *m_scene->run().series();
        QCOMPARE(series.lastTower().worstDeviation(), 0.0);
        // As the 100 pictures of the folder say: 2 towers x 8.
        QVERIFY(std::abs(series.expectedVarianceRatio() - 2.0 * (92.0 / 84.0)) < 1e-9);
        const fs::path experiment = m_scene->run().folder();
        train();
        QVERIFY(!line->isVisible());
        window().openCommands().openRun(experiment);
        QTRY_COMPARE(line->note(), said);
    }

private:
    [[nodiscard]] PlotView& loss() const { return *charts().plots().front(); }
    void train()
    {
        const fs::path before = m_scene->run().folder();
        m_scene->start(m_scene->config(30));
        QTRY_VERIFY(m_scene->run().folder() != before);
        WAIT_FOR_STATE(Finished);
    }

    /// What asks how the picture is to be, filled in.
    PictureDialog& ask(QAction* action, const PictureChoice& choice)
    {
        action->trigger();
        auto& dialog = *window().findChild<PictureDialog*>();
        dialog.findChild<QSpinBox*>("picture_width")->setValue(choice.size.width());
        dialog.findChild<QSpinBox*>("picture_height")->setValue(choice.size.height());
        const auto setIndex = [&](const char* name, int index) {
            dialog.findChild<QComboBox*>(name)->setCurrentIndex(index);
        };
        setIndex("picture_scale", choice.scale - 1);
        setIndex("picture_colors", choice.isDark ? 1 : 0);
        setIndex("picture_format", choice.isSvg ? 1 : 0);
        return dialog;
    }

    /// By both dialogs.
    void save(QAction* action, const PictureChoice& choice, const fs::path& file)
    {
        click(ask(action, choice));
        m_scene->answer(file);
    }
    static void click(PictureDialog& dialog)
    {
        for (QPushButton* const button : dialog.findChildren<QPushButton*>()) {
            if (button->isDefault()) {
                button->click();
                return;
            }
        }
    }

    /// nullptr: all charts.
    [[nodiscard]] QImage saved(const PlotView* chart, const PictureChoice& choice)
    {
        QAction* action = actions().exportCharts;
        for (QAction* const entry : actions().exportOne->actions()) {
            if (chart != nullptr && entry->text() == chart->accessibleName() + "…") {
                action = entry;
            }
        }
        const fs::path file = m_scene->folder() / "saved.png";
        fs::remove(file);
        save(action, choice, file);
        return QImage(toQString(file));
    }
};
LOCKSTEP_TEST(TestWindowPictures)
#include "test_window_pictures.moc"
