// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace lockstep::ui {

/// The two colours that lie over grey pictures, in every theme: blue what is marked, orange what is
/// predicted. People with any colour vision tell them apart, and both from grey.
QColor labelColor();
QColor predictionColor();

/// The share, 0 to 1, of a colour, from black to the colour and on to white, lighter all the way.
/// Not a number: black.
QRgb shareColor(const QColor& color, float share);

} // namespace lockstep::ui
