// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "ui/window_witness.h"
#include "widgets/forms/note_label.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// Pictures of the charts, and the line that says when a run is no proper one.
class TestWindowPictures : public WindowTest
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { END_SCENE(); }

    void Charts_exported_arePicturesOfAll();
    void Chart_exportedAlone_isItsOwnPicture();
    void Chart_copied_isOnTheClipboardAsPixelsAndAsDrawing();
    void Picture_ofAChart_holdsNoCrossHair();
    void ChartMenu_atRightClick_offersPictures();
    void Experiment_whileItsRunIsShown_isSaid();

private:
    [[nodiscard]] PlotView& loss() const { return *charts().plots().front(); }
    void train()
    {
        const fs::path before = m_scene->run().folder();
        m_scene->start(m_scene->config(30));
        QTRY_VERIFY(m_scene->run().folder() != before);
        WAIT_FOR_STATE(Finished);
    }
};

void TestWindowPictures::Charts_exported_arePicturesOfAll()
{
    train();
    const fs::path file = m_scene->folder() / "charts.png";
    m_scene->choose(actions().exportCharts, file);
    const QImage picture(toQString(file));
    const QSize size = charts().charts().size().grownBy(chartPictureMargins(charts().charts()));
    QCOMPARE(picture.size(), (QSizeF(size) * m_scene->window().devicePixelRatioF()).toSize());
    QVERIFY(m_scene->message().contains(toQString(file)));
    const QLocale locale;
    QVERIFY2(
        m_scene->message().contains(
            QStringLiteral("%1 × %2 pixels")
                .arg(locale.toString(picture.width()), locale.toString(picture.height()))),
        qPrintable(m_scene->message()));
    m_scene->choose(actions().exportDrawing, m_scene->folder() / "charts.svg");
    QFile drawing(toQString(m_scene->folder() / "charts.svg"));
    QVERIFY(drawing.open(QIODevice::ReadOnly));
    const QByteArray text = drawing.readAll();
    for (const char* const title : {">Loss<", ">Throughput<", ">Accuracy<"}) {
        QVERIFY(text.contains(title));
    }
    m_scene->choose(actions().exportCharts, m_scene->folder() / "nowhere" / "charts.png");
    QVERIFY(!fs::exists(m_scene->folder() / "nowhere"));
}

void TestWindowPictures::Chart_exportedAlone_isItsOwnPicture()
{
    train();
    QList<QAction*> entries = actions().exportOne->actions();
    entries.removeIf([](const QAction* entry) { return !entry->isVisible(); });
    QCOMPARE(entries.size(), static_cast<qsizetype>(charts().plots().size()));
    for (int i = 0; i < entries.size(); ++i) {
        const PlotView& plot = *charts().plots()[static_cast<std::size_t>(i)];
        QCOMPARE(entries[i]->text(), plot.accessibleName() + QStringLiteral("…"));
        const fs::path file = m_scene->folder() / ("chart" + std::to_string(i) + ".png");
        m_scene->choose(entries[i], file);
        const QImage picture(toQString(file));
        QCOMPARE(
            picture.size(), (QSizeF(plot.size()) * m_scene->window().devicePixelRatioF()).toSize());
    }
}

void TestWindowPictures::Chart_copied_isOnTheClipboardAsPixelsAndAsDrawing()
{
    train();
    QGuiApplication::clipboard()->clear();
    loss().setFocus(Qt::ShortcutFocusReason);
    m_scene->press("Ctrl+C");
    const QMimeData* const data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data != nullptr && data->hasImage());
    QCOMPARE(
        data->imageData().value<QImage>().size(),
        (QSizeF(loss().size()) * m_scene->window().devicePixelRatioF()).toSize());
    QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains(">Loss<"));
}

void TestWindowPictures::Picture_ofAChart_holdsNoCrossHair()
{
    train();
    const auto pixels = [this] {
        return mimeDataOf(pictureOf(loss()), 1.0)->imageData().value<QImage>();
    };
    const QImage without = pixels();
    charts().range().crossHair().setRow(15);
    loss().setFocus(Qt::TabFocusReason);
    QVERIFY(charts().range().crossHair().moment());
    QCOMPARE(pixels(), without);
    QVERIFY(loss().grab().toImage().convertToFormat(without.format()) != without);
}

void TestWindowPictures::ChartMenu_atRightClick_offersPictures()
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
        texts.append(action->text().remove(QLatin1Char('&')));
    }
    QCOMPARE(
        texts, (QStringList{
                   QStringLiteral("Copy Chart"), QStringLiteral("Export as PNG…"),
                   QStringLiteral("Export as SVG…")}));
    menu->close();
}

void TestWindowPictures::Experiment_whileItsRunIsShown_isSaid()
{
    const auto* const line =
        m_scene->window().findChild<NoteLabel*>(QStringLiteral("experiment_line"));
    QVERIFY(line != nullptr && !line->isVisible());
    RunConfig config = m_scene->config(30);
    config.experiment.shards = "same";
    m_scene->start(config);
    WAIT_FOR_STATE(Finished);
    QVERIFY(line->isVisible());
    QCOMPARE(line->note(), QStringLiteral("Experiment: all towers get the same rows"));
    const RunSeries& series = *m_scene->run().series();
    QCOMPARE(series.lastTower().worstDeviation(), 0.0);
    // As the 100 pictures of the folder say: 2 towers x 8.
    QVERIFY(std::abs(series.expectedVarianceRatio() - 2.0 * (92.0 / 84.0)) < 1e-9);
    train();
    QVERIFY(!line->isVisible());
}

LOCKSTEP_TEST(TestWindowPictures)
#include "test_window_pictures.moc"
