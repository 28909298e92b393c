// SPDX-License-Identifier: GPL-3.0-or-later
// What the keyboard does on a chart, and a rectangle that is drawn there with the mouse.
#include "plots/view/plot_gestures.h"
#include "plots/view/plot_view.h"

#include <QKeyEvent>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kZoomPerKey = 0.8;
constexpr std::int64_t kFarRows = 100;
/// A drag lower than this zooms the x axis only; shorter than the other, it is a click.
constexpr double kFlatDrag = 28.0;
constexpr double kLeastDrag = 5.0;

} // namespace

bool PlotGestures::pressKey(const QKeyEvent& event)
{
    if (pressMarkKey(event)) {
        return true;
    }
    if (event.modifiers().testFlag(Qt::AltModifier)) {
        return false; // the window's
    }
    XRange& range = m_view.range();
    const double middle = m_view.xScale().positionAt(0.5);
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    const std::int64_t rows = isShifted ? kFarRows : 1;
    switch (event.key()) {
    case Qt::Key_Space:
        setSpaceHeld(true);
        return true;
    case Qt::Key_Backspace:
        isShifted ? range.forward() : range.back();
        return true;
    case Qt::Key_Home:
        range.fit();
        return true;
    case Qt::Key_End:
        range.follow();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        range.zoom(kZoomPerKey, middle);
        return true;
    case Qt::Key_Minus:
        range.zoom(1.0 / kZoomPerKey, middle);
        return true;
    case Qt::Key_PageUp:
        range.pan(-0.5);
        return true;
    case Qt::Key_PageDown:
        range.pan(0.5);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_pointer.reset();
        range.crossHair().setReader(&m_view);
        range.crossHair().move(event.key() == Qt::Key_Left ? -rows : rows);
        return true;
    case Qt::Key_Escape:
        m_view.setSelection({});
        m_drag = Drag::None;
        m_pointer.reset();
        range.crossHair().setRow(std::nullopt);
        return true;
    default:
        return event.modifiers() == Qt::NoModifier && pressLetter(event.key());
    }
}

/// Ctrl and the arrows go from pin to pin, with Shift from marker to marker, Return and the menu
/// key do what a click on the pin does; without Ctrl the cross-hair moves instead.
bool PlotGestures::pressMarkKey(const QKeyEvent& event)
{
    const PlotScale scale = m_view.xScale();
    const SharedParts parts = m_view.shared();
    const int key = event.key();
    const bool isArrow = key == Qt::Key_Left || key == Qt::Key_Right;
    const auto pin = parts.pins != nullptr ? parts.pins->markedGroup(scale) : std::nullopt;
    if (pin && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Menu)) {
        const QPoint place(static_cast<int>(pin->x), static_cast<int>(scale.area.top()));
        emit parts.pins->chosen(*pin, m_view.mapToGlobal(place));
        return true;
    }
    const std::pair<AxisMarks*, Qt::KeyboardModifiers> rows[] = {
        {parts.pins, Qt::ControlModifier},
        {parts.markers, Qt::ControlModifier | Qt::ShiftModifier}};
    for (const auto& [row, modifiers] : rows) {
        if (row == nullptr || row->isEmpty()) {
            continue;
        }
        if (isArrow && event.modifiers() == modifiers) {
            m_view.range().crossHair().setRow(std::nullopt);
            row->moveMark(scale, key == Qt::Key_Left ? -1 : 1);
            return true;
        }
        if (row->marked() && (isArrow || key == Qt::Key_Escape)) {
            row->mark(std::nullopt);
            if (key == Qt::Key_Escape) {
                return true;
            }
        }
    }
    return false;
}

bool PlotGestures::pressLetter(int key)
{
    switch (key) {
    case Qt::Key_L:
        m_view.setLogarithmic(!m_view.isLogarithmic());
        return true;
    case Qt::Key_O:
        m_view.range().setRobust(!m_view.range().isRobust());
        return true;
    case Qt::Key_F:
        emit m_view.foldRequested();
        return true;
    case Qt::Key_M:
        emit m_view.maximizeRequested();
        return true;
    default:
        return false;
    }
}

void PlotGestures::setSpaceHeld(bool isHeld)
{
    if (isHeld != m_isSpaceHeld) {
        m_isSpaceHeld = isHeld;
        m_view.setCursor(isHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
}

bool PlotGestures::isFlat() const
{
    return std::abs(m_to.y() - m_from.y()) < kFlatDrag;
}

/// A flat one chooses steps, one of values only chooses values, any other both.
QRectF PlotGestures::selection() const
{
    const QRectF area = m_view.xScale().area;
    QRectF chosen = QRectF(m_from, m_to).normalized();
    if (m_isOfValues) {
        chosen.setLeft(area.left());
        chosen.setRight(area.right());
    } else if (isFlat()) {
        chosen.setTop(area.top());
        chosen.setBottom(area.bottom());
    }
    return chosen & area;
}

void PlotGestures::zoomToSelection()
{
    const QRectF chosen = selection();
    m_view.setSelection({});
    if ((m_isOfValues ? chosen.height() : chosen.width()) < kLeastDrag) {
        return;
    }
    const PlotScale scale = m_view.scale();
    const std::pair values(scale.valueAtPixel(chosen.bottom()), scale.valueAtPixel(chosen.top()));
    const double first = scale.positionAtPixel(chosen.left());
    const double last = scale.positionAtPixel(chosen.right());
    if (m_isOfValues) {
        m_view.range().zoomValues(m_view, values);
    } else if (isFlat()) {
        m_view.range().zoomTo(first, last);
    } else {
        m_view.range().zoomTo(first, last, &m_view, values);
    }
}

} // namespace lockstep::ui
