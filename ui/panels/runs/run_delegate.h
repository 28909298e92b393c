// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/shared/warning_delegate.h"

namespace lockstep::ui {

/// Paints the rows of RunTableModel, with the little curve in the colour of its overlay, if any.
class RunDelegate : public WarningDelegate
{
    Q_OBJECT

public:
    using WarningDelegate::WarningDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;
};

} // namespace lockstep::ui
