// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/panel.h"
#include "support/lockstep_test.h"
#include "widgets/forms/still_box.h"

#include <QtWidgets>

#include <chrono>

using namespace lockstep::ui;

namespace {

/// Counts what asks it for a new layout.
class Counter : public QWidget
{
public:
    int layouts = 0;

protected:
    bool event(QEvent* event) override
    {
        layouts += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return QWidget::event(event);
    }
};

} // namespace

/// What keeps the window from working while it only shows a run.
class TestQuietWindow : public QObject
{
    Q_OBJECT

private slots:
    void StillBox_otherTexts_askForNoLayout()
    {
        Counter window;
        auto* const row = new QHBoxLayout(&window);
        auto* const text = new QLabel("step 1,000 of 9,000");
        row->addWidget(new StillBox(text, StillBox::Width::Grows));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCoreApplication::processEvents();
        window.layouts = 0;
        for (int step = 100; step < 140; ++step) {
            text->setText(QString("step %1 of 9,000").arg(step));
            QCoreApplication::processEvents();
        }
        QCOMPARE(window.layouts, 0);
        QCOMPARE(text->size(), text->parentWidget()->size());
    }

    void StillBox_moreThanEver_getsItsRoom()
    {
        Counter window;
        auto* const row = new QHBoxLayout(&window);
        auto* const text = new QLabel("1");
        row->addWidget(new StillBox(text, StillBox::Width::Grows));
        row->addStretch(1);
        window.resize(600, 60);
        window.show();
        text->setText("a good deal longer than before");
        QTRY_VERIFY(text->width() >= text->sizeHint().width());
        const int width = text->width();
        text->setText("1");
        QCoreApplication::processEvents();
        QCOMPARE(text->width(), width); // what stands beside it stays
    }

    void StillBox_filling_neverWidens()
    {
        Counter window;
        auto* const row = new QHBoxLayout(&window);
        auto* const text = new QLabel;
        row->addWidget(new StillBox(text, StillBox::Width::Fills), 1);
        text->setText(QString(500, 'x'));
        window.show();
        QCoreApplication::processEvents();
        QVERIFY(window.minimumSizeHint().width() < 100);
        window.resize(321, 60);
        QCoreApplication::processEvents();
        QVERIFY(text->width() > 250 && text->width() < 321);
    }

    void StillBox_wideAgain_isAsLowAsBefore()
    {
        QWidget window;
        auto* const column = new QVBoxLayout(&window);
        auto* const text = new QLabel(QString("word ").repeated(40));
        text->setWordWrap(true);
        auto* const box = new StillBox(text, StillBox::Width::Fills);
        column->addWidget(box);
        column->addStretch(1);
        window.resize(800, 600);
        window.show();
        QCoreApplication::processEvents();
        const int low = box->height();
        text->setText(QString("word ").repeated(10));
        QCoreApplication::processEvents();
        QCOMPARE(box->height(), low); // what stands below it stays
        text->setText(QString("word ").repeated(40));
        window.resize(200, 600);
        QTRY_VERIFY(box->height() > 2 * low);
        window.resize(800, 600);
        QTRY_COMPARE(box->height(), low);
    }

    void Refresh_manyRequests_areOne()
    {
        RefreshTimer timer;
        const QSignalSpy due(&timer, &RefreshTimer::due);
        for (int i = 0; i < 100; ++i) {
            timer.request(std::chrono::milliseconds(60));
        }
        QTRY_COMPARE(due.size(), 1);
        QTest::qWait(150);
        QCOMPARE(due.size(), 1);
        timer.request(std::chrono::milliseconds(60));
        QTRY_COMPARE(due.size(), 2);
    }

    // However far apart they are asked: the moments are those of one clock.
    void Refresh_severalTimers_areDueTogether()
    {
        using Clock = std::chrono::steady_clock;
        const std::chrono::milliseconds interval(400);
        RefreshTimer first;
        RefreshTimer second;
        std::vector<std::int64_t> moments; // in whole intervals
        for (RefreshTimer* const timer : {&first, &second}) {
            connect(timer, &RefreshTimer::due, this, [&] {
                moments.push_back(Clock::now().time_since_epoch() / interval);
            });
        }
        // Both are asked within one interval.
        while (Clock::now().time_since_epoch() % interval > interval / 4) {
            QTest::qWait(5);
        }
        first.request(interval);
        QTest::qWait(70);
        second.request(interval);
        QTRY_COMPARE(moments.size(), std::size_t{2});
        QCOMPARE(moments[0], moments[1]);
    }

    void Refresh_nothingNew_isSilent()
    {
        RefreshTimer timer;
        const QSignalSpy due(&timer, &RefreshTimer::due);
        QTest::qWait(200);
        QCOMPARE(due.size(), 0);
    }
};
LOCKSTEP_TEST(TestQuietWindow)
#include "test_quiet_window.moc"
