// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help_context.h"

#include <QWidget>

#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

/// By the name of a dock, or the class of a part of the window.
constexpr std::array<std::pair<const char*, const char*>, 18> kChapters{{
    {"run_dock", "setting-up"},
    {"towers_dock", "window"},
    {"barrier_dock", "barrier-clock"},
    {"log_dock", "window"},
    {"preview_dock", "data-preview"},
    {"checkpoints_dock", "checkpoints"},
    {"runs_dock", "runs"},
    {"gradients_dock", "gradients"},
    {"weights_dock", "weights"},
    {"masks_dock", "masks"},
    {"devices_dock", "devices"},
    {"evaluation_dock", "evaluation"},
    {"scaling_dialog", "scaling"},
    {"variation_chart", "last-tower"},
    {"bias_chart", "last-tower"},
    {"lockstep::ui::ChartsPanel", "charts"},
    {"lockstep::ui::PlotView", "charts"},
    {"lockstep::ui::MessageBar", "live-control"},
}};

} // namespace

QString helpChapterOf(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        for (const auto& [part, chapter] : kChapters) {
            if (widget->objectName() == QLatin1String(part) || widget->inherits(part)) {
                return QString::fromLatin1(chapter);
            }
        }
    }
    return {};
}

} // namespace lockstep::ui
