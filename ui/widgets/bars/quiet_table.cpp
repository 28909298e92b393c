// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bars/quiet_table.h"

#include <QHeaderView>

namespace lockstep::ui {
namespace {

constexpr int kLeastHeight = 48; // two rows

} // namespace

QuietTable::QuietTable(const QString& name, const QString& accessibleName, QWidget* parent)
    : QTableView(parent)
{
    setObjectName(name);
    setAccessibleName(accessibleName);
    setMinimumHeight(kLeastHeight);
    setSelectionBehavior(SelectRows);
    setShowGrid(false);
    setFrameShape(NoFrame);
    setTabKeyNavigation(false);
    setWordWrap(false);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
}

} // namespace lockstep::ui
