// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace lockstep::ui {

/// The icons of the window: line drawings of our own, in resources/icons.
enum class IconName {
    About,
    Copy,
    Devices,
    Download,
    Error,
    Evaluate,
    First,
    Fit,
    Folder,
    Follow,
    Help,
    Information,
    Keyboard,
    Lock,
    LogScale,
    NewRun,
    Next,
    Open,
    Pause,
    Play,
    Previous,
    Save,
    Scaling,
    Stop,
    Unlock,
    Warning,
};

/// The icon, drawn in the text colour of the application's palette at the time of painting: it
/// follows a change from light to dark by itself, is sharp at any size and scale, and pales when
/// disabled.
QIcon icon(IconName name);

/// The drawing in one colour, for painted parts. `size` in device-independent pixels.
QPixmap iconPixmap(IconName name, QSize size, double devicePixelRatio, const QColor& color);

} // namespace lockstep::ui
