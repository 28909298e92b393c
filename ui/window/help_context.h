// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace lockstep::ui {

/// The chapter of the user guide that is about the part of the window that this widget belongs to;
/// empty where there is none.
QString helpChapterOf(const QWidget* widget);

} // namespace lockstep::ui
