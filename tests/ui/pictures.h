// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets>

namespace lockstep::ui {

/// Where a picture goes that people look at: into the build folder, with the screen's scale in its
/// name.
inline QString pictureFile(const QString& name)
{
    QDir().mkpath(LOCKSTEP_SCREENSHOTS);
    const int scale = qRound(qApp->devicePixelRatio());
    return QString(LOCKSTEP_SCREENSHOTS "/%1-%2x.png").arg(name).arg(scale);
}

} // namespace lockstep::ui
