// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/x_range.h"
#include "support/lockstep_test.h"
#include "theme/palette.h"
#include "ui/synthetic_run.h"

#include <QtWidgets>

namespace lockstep::ui {

/// What the platform that draws without a screen says about itself is not ours.
inline void failOnOwnWarnings()
{
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)"));
}

/// A chart with its own range, as large as a screen.
template<typename Plot>
struct Shown
{
    XRange range;
    Plot plot;

    Shown() : Shown(lightPalette()) {}
    template<typename... More>
    explicit Shown(const QPalette& palette, const More&... more) : plot(range, more...)
    {
        plot.setPalette(palette);
        plot.resize(1600, 900);
    }
    explicit Shown(RunSeries& run) : Shown() { setRun(run); }
    void setRun(RunSeries& run)
    {
        range.setTimeline(&run.steps().timeline());
        plot.setRun(&run);
    }
    QImage picture() { return plot.grab().toImage(); }
    void moveTo(QPointF point)
    {
        QMouseEvent move(
            QEvent::MouseMove, point, point, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&plot, &move);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(&plot, Qt::LeftButton, modifiers, from);
        QTest::mouseMove(&plot, (from + to) / 2);
        QTest::mouseMove(&plot, to);
        QTest::mouseRelease(&plot, Qt::LeftButton, modifiers, to);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&plot, key, modifiers);
    }
};

} // namespace lockstep::ui
