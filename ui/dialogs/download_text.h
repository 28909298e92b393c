// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockstep::ui {

/// What "Get CIFAR-10" is about to do, and how much room it takes.
QString downloadIntroduction();

/// Where a transfer stands: "1 of 3: downloading · 42.1 MiB of 162.6 MiB · 5.3 MiB/s · 25 s left".
/// The last two are left out while the rate is 0. In decimal units, as a browser's downloads have
/// them.
QString transferText(qint64 bytes, qint64 total, double bytesPerSecond);

} // namespace lockstep::ui
