// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/shared/warning_delegate.h"

namespace lockstep::ui {

/// Paints the numbers of ClassBalanceModel: left of each a bar, full for the largest class; where
/// there are no examples the word for it stands out.
class ClassBarDelegate : public WarningDelegate
{
    Q_OBJECT

public:
    using WarningDelegate::WarningDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;
};

} // namespace lockstep::ui
