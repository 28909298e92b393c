// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QSplitter>

#include <initializer_list>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What stands in a row or a column: a widget or a layout, and its share of the room that is left.
struct LayoutPart
{
    LayoutPart(QWidget* part, int share = 0, Qt::Alignment side = {})
        : widget(part), stretch(share), alignment(side)
    {
    }
    LayoutPart(QLayout* part, int share = 0) : layout(part), stretch(share) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int pixels = 0; ///< of nothing
    Qt::Alignment alignment;
};

/// Nothing, but with a share of the room.
inline LayoutPart space(int share = 1)
{
    return {static_cast<QWidget*>(nullptr), share};
}

/// Nothing, of this size.
inline LayoutPart gap(int pixels)
{
    LayoutPart part = space(0);
    part.pixels = pixels;
    return part;
}

template<class Layout>
Layout* filled(Layout* layout, int spacing, std::initializer_list<LayoutPart> parts)
{
    layout->setSpacing(spacing);
    for (const LayoutPart& part : parts) {
        if (part.widget != nullptr) {
            layout->addWidget(part.widget, part.stretch, part.alignment);
        } else if (part.layout != nullptr) {
            layout->addLayout(part.layout, part.stretch);
        } else if (part.pixels > 0) {
            layout->addSpacing(part.pixels);
        } else {
            layout->addStretch(part.stretch);
        }
    }
    return layout;
}

constexpr int kUsualSpacing = -1; ///< that of the style

/// Beside each other, for another layout to take.
inline QHBoxLayout* rowOf(
    std::initializer_list<LayoutPart> parts, int spacing = kUsualSpacing,
    const QMargins& margins = {})
{
    auto* const layout = new QHBoxLayout;
    layout->setContentsMargins(margins);
    return filled(layout, spacing, parts);
}

/// All that `owner` shows, beside each other.
inline QHBoxLayout* rowIn(
    QWidget* owner, const QMargins& margins, int spacing, std::initializer_list<LayoutPart> parts)
{
    auto* const layout = rowOf(parts, spacing, margins);
    owner->setLayout(layout);
    return layout;
}

/// All that `owner` shows, below each other.
inline QVBoxLayout* columnIn(
    QWidget* owner, const QMargins& margins, int spacing, std::initializer_list<LayoutPart> parts)
{
    auto* const layout = new QVBoxLayout(owner);
    layout->setContentsMargins(margins);
    return filled(layout, spacing, parts);
}

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
