// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include <utility>
#include <vector>

namespace lockstep::ui {

/// Parts beside each other, as wide in proportion as their numbers until a person drags the edge
/// between them.
inline QSplitter* sideBySide(const std::vector<std::pair<QWidget*, int>>& parts)
{
    constexpr int kHandleWidth = 8;
    auto* const splitter = new QSplitter(Qt::Horizontal);
    QList<int> widths;
    for (const auto& [part, width] : parts) {
        splitter->addWidget(part);
        splitter->setStretchFactor(splitter->count() - 1, width);
        widths.append(width);
    }
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(kHandleWidth);
    splitter->setSizes(widths);
    return splitter;
}

} // namespace lockstep::ui
