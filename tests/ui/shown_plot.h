// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"
#include "plots/axes/x_range.h"
#include "theme/palette.h"

#include <QImage>
#include <QPalette>
#include <QRegularExpression>
#include <QTest>

namespace lockstep::ui {

/// What the platform that draws without a screen says about itself is not ours.
inline void failOnOwnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
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
};

} // namespace lockstep::ui
