// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_gestures.h"

#include "plots/plot_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// A drag lower than this zooms the x axis only; shorter than the other, it is a click.
constexpr double kFlatDrag = 28.0;
constexpr double kLeastDrag = 5.0;
constexpr double kZoomPerNotch = 0.8;
constexpr double kPanPerNotch = 0.1;
constexpr double kNotch = 120.0;
constexpr std::int64_t kFarRows = 100;

} // namespace

PlotGestures::PlotGestures(PlotView& view) : QObject(&view), m_view(view), m_pins(view)
{
    view.setMouseTracking(true);
    view.setFocusPolicy(Qt::StrongFocus);
    view.installEventFilter(this);
}

bool PlotGestures::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(static_cast<const QMouseEvent&>(*event));
    case QEvent::MouseMove:
        return move(static_cast<const QMouseEvent&>(*event));
    case QEvent::MouseButtonRelease:
        return release();
    case QEvent::MouseButtonDblClick:
        fit();
        return true;
    case QEvent::Wheel:
        return turnWheel(static_cast<const QWheelEvent&>(*event));
    case QEvent::KeyPress:
        return pressKey(static_cast<const QKeyEvent&>(*event));
    case QEvent::KeyRelease:
        if (static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Space) {
            setSpaceHeld(false);
        }
        break;
    case QEvent::FocusOut:
        setSpaceHeld(false);
        break;
    case QEvent::Leave:
        m_view.range().setCursor(std::nullopt);
        m_pins.mark({-1.0, -1.0});
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool PlotGestures::press(const QMouseEvent& event)
{
    m_view.setFocus(Qt::MouseFocusReason);
    if (m_pins.press(event)) {
        return true;
    }
    const bool isPan =
        event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && m_isSpaceHeld);
    if (m_drag != Drag::None || m_view.isEmpty() || (!isPan && event.button() != Qt::LeftButton)) {
        return false;
    }
    m_drag = isPan ? Drag::Pan : Drag::Select;
    m_from = event.position();
    m_to = m_from;
    if (isPan) {
        m_view.setCursor(Qt::ClosedHandCursor);
    }
    return true;
}

bool PlotGestures::move(const QMouseEvent& event)
{
    const PlotScale scale = m_view.scale();
    const bool isInside =
        event.position().x() >= scale.area.left() && event.position().x() <= scale.area.right();
    if (m_drag == Drag::Pan) {
        m_view.range().pan((m_to.x() - event.position().x()) / scale.area.width());
    }
    m_to = event.position();
    if (m_drag == Drag::Select) {
        m_view.setSelection(selection());
    }
    if (m_drag == Drag::None && m_pins.mark(event.position())) {
        m_view.range().setCursor(std::nullopt);
        return true;
    }
    if (isInside && !m_view.isEmpty()) {
        m_view.range().setCursorAt(scale.positionAtPixel(event.position().x()));
    } else {
        m_view.range().setCursor(std::nullopt);
    }
    return true;
}

bool PlotGestures::release()
{
    if (m_drag == Drag::Select) {
        zoomToSelection();
        m_view.setSelection({});
    }
    if (m_drag == Drag::Pan) {
        m_view.setCursor(m_isSpaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
    m_drag = Drag::None;
    return true;
}

bool PlotGestures::turnWheel(const QWheelEvent& event)
{
    if (m_view.isEmpty()) {
        return false;
    }
    const PlotScale scale = m_view.scale();
    const QPoint angle = event.angleDelta();
    const bool isSideways = angle.x() != 0 || event.modifiers().testFlag(Qt::ShiftModifier);
    if (isSideways) {
        const int turn = angle.x() != 0 ? angle.x() : angle.y();
        m_view.range().pan(-kPanPerNotch * turn / kNotch);
    } else {
        m_view.range().zoom(
            std::pow(kZoomPerNotch, angle.y() / kNotch),
            scale.positionAtPixel(event.position().x()));
    }
    return true;
}

bool PlotGestures::pressKey(const QKeyEvent& event)
{
    if (m_pins.pressKey(event)) {
        return true;
    }
    XRange& range = m_view.range();
    const double middle = 0.5 * (range.first() + range.last());
    switch (event.key()) {
    case Qt::Key_Space:
        setSpaceHeld(true);
        return true;
    case Qt::Key_Home:
        fit();
        return true;
    case Qt::Key_End:
        range.follow();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        range.zoom(kZoomPerNotch, middle);
        return true;
    case Qt::Key_Minus:
        range.zoom(1.0 / kZoomPerNotch, middle);
        return true;
    case Qt::Key_Backspace:
        m_view.setYRange(std::nullopt);
        range.back();
        return true;
    case Qt::Key_L:
        m_view.setLogarithmic(!m_view.isLogarithmic());
        return event.modifiers() == Qt::NoModifier;
    default:
        return moveByKey(event.key(), event.modifiers().testFlag(Qt::ShiftModifier));
    }
}

bool PlotGestures::moveByKey(int key, bool isFar)
{
    XRange& range = m_view.range();
    const std::int64_t rows = isFar ? kFarRows : 1;
    switch (key) {
    case Qt::Key_Left:
        range.moveCursor(-rows);
        return true;
    case Qt::Key_Right:
        range.moveCursor(rows);
        return true;
    case Qt::Key_PageUp:
        range.pan(-0.5);
        return true;
    case Qt::Key_PageDown:
        range.pan(0.5);
        return true;
    case Qt::Key_Escape:
        m_view.setSelection({});
        m_drag = Drag::None;
        range.setCursor(std::nullopt);
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

void PlotGestures::fit()
{
    m_drag = Drag::None;
    m_view.setYRange(std::nullopt);
    m_view.range().fit();
}

QRectF PlotGestures::selection() const
{
    const QRectF area = m_view.scale().area;
    QRectF selected = QRectF(m_from, m_to).normalized();
    if (isSelectionFlat()) {
        selected.setTop(area.top());
        selected.setBottom(area.bottom());
    }
    return selected & area;
}

bool PlotGestures::isSelectionFlat() const
{
    return std::abs(m_to.y() - m_from.y()) < kFlatDrag;
}

void PlotGestures::zoomToSelection()
{
    const QRectF selected = selection();
    if (selected.width() < kLeastDrag) {
        return;
    }
    const PlotScale scale = m_view.scale();
    m_view.range().zoomTo(
        scale.positionAtPixel(selected.left()), scale.positionAtPixel(selected.right()));
    if (!isSelectionFlat()) {
        m_view.setYRange(
            std::pair(scale.valueAtPixel(selected.bottom()), scale.valueAtPixel(selected.top())));
    }
}

} // namespace lockstep::ui
