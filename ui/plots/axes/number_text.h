// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockstep::ui {

/// How a chart writes its values.
struct ValueFormat
{
    double factor = 1.0; ///< 100 for a share in per cent
    int decimals = 3;
    QString suffix;                            ///< unit, with the space before it: " %"
    int (*decimalsOf)(double value) = nullptr; ///< in place of `decimals`
};

/// The value in the user's locale, with thousands separators: 24,310. Figures that the decimals
/// would round to nothing are written with an exponent; what is not finite in words or as ∞.
QString numberText(double value, const ValueFormat& format);
QString countText(qint64 count);
/// 0.84 s, 42 s, 3 min 20 s, 5 h 47 min, 2 d 3 h: two units at most.
QString durationText(double seconds);

/// Label of an axis at a multiple of `step`: no more decimals than the step needs, from 100,000 on
/// in thousands or millions.
QString axisText(double value, double step, const ValueFormat& format);
/// Label of a time axis at a multiple of `step` seconds.
QString axisTimeText(double seconds, double step);

} // namespace lockstep::ui
