// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_gestures.h"

#include "plots/view/plot_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kZoomPerNotch = 0.8;
constexpr double kPanPerNotch = 0.1;
constexpr double kNotch = 120.0;
constexpr std::int64_t kFarRows = 100;

} // namespace

PlotGestures::PlotGestures(PlotView& view)
    : QObject(&view), m_view(view), m_pins(view), m_markers(view), m_towers(view), m_zoom(view)
{
    view.setMouseTracking(true);
    view.setFocusPolicy(Qt::StrongFocus);
    view.installEventFilter(this);
    connect(&view.range(), &XRange::rangeChanged, this, [this] {
        if (m_pointer) {
            moveCursorTo(*m_pointer);
        }
    });
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
        return pressDouble(static_cast<const QMouseEvent&>(*event));
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
    case QEvent::ContextMenu:
        return m_towers.openMenu(static_cast<const QContextMenuEvent&>(*event));
    case QEvent::Leave:
        leave();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool PlotGestures::press(const QMouseEvent& event)
{
    m_view.setFocus(Qt::MouseFocusReason);
    if (event.button() == Qt::BackButton || event.button() == Qt::ForwardButton) {
        event.button() == Qt::BackButton ? m_view.range().back() : m_view.range().forward();
        return true;
    }
    if (event.button() == Qt::LeftButton && m_view.room().foldMark().contains(event.position())) {
        emit m_view.foldRequested();
        return true;
    }
    if (m_view.room().isFolded()) {
        return false;
    }
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    if (m_pins.press(event)
        || (event.button() == Qt::LeftButton
            && m_view.legend().toggle(event.position(), isShifted))) {
        return true;
    }
    const bool isPan =
        event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && m_isSpaceHeld);
    if (m_drag != Drag::None || m_view.isEmpty() || (!isPan && event.button() != Qt::LeftButton)) {
        return false;
    }
    m_drag = isPan ? Drag::Pan : Drag::Select;
    m_panned = event.position();
    m_zoom.begin(event.position(), isShifted);
    if (isPan) {
        m_view.setCursor(Qt::ClosedHandCursor);
    }
    return true;
}

bool PlotGestures::move(const QMouseEvent& event)
{
    if (m_view.room().isFolded()) {
        return false;
    }
    const QPointF point = event.position();
    if (m_drag == Drag::Pan) {
        m_view.range().pan((m_panned.x() - point.x()) / m_view.xScale().area.width());
        m_panned = point;
    }
    if (m_drag == Drag::Select) {
        m_zoom.moveTo(point);
    }
    if (m_drag == Drag::None && (m_pins.mark(point) || m_markers.mark(point))) {
        m_view.range().crossHair().setRow(std::nullopt);
        m_pointer.reset();
        return true;
    }
    moveCursorTo(point);
    m_towers.point(point);
    return true;
}

void PlotGestures::leave()
{
    m_pointer.reset();
    m_view.range().crossHair().setRow(std::nullopt);
    m_pins.mark({-1.0, -1.0});
    m_markers.mark({-1.0, -1.0});
    m_towers.leave();
}

void PlotGestures::moveCursorTo(QPointF point)
{
    m_pointer = point;
    const PlotScale scale = m_view.xScale();
    if (point.x() >= scale.area.left() && point.x() <= scale.area.right() && !m_view.isEmpty()) {
        m_view.range().crossHair().setReader(&m_view);
        m_view.range().crossHair().setAt(scale.positionAtPixel(point.x()));
    } else {
        m_view.range().crossHair().setRow(std::nullopt);
    }
}

bool PlotGestures::release()
{
    if (m_drag == Drag::Select) {
        m_zoom.end();
    }
    if (m_drag == Drag::Pan) {
        m_view.setCursor(m_isSpaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
    m_drag = Drag::None;
    return true;
}

bool PlotGestures::pressDouble(const QMouseEvent& event)
{
    m_drag = Drag::None;
    if (m_view.legend().toggle(event.position(), false)) {
        return true; // the second of two quick clicks
    }
    if (m_view.room().isFolded() || m_view.room().foldMark().contains(event.position())) {
        emit m_view.foldRequested();
    } else if (m_view.room().titleLine().contains(event.position())) {
        emit m_view.maximizeRequested();
    } else {
        m_view.range().fit();
    }
    return true;
}

bool PlotGestures::turnWheel(const QWheelEvent& event)
{
    if (m_view.isEmpty() || m_view.room().isFolded()) {
        return false;
    }
    const QPoint angle = event.angleDelta();
    const double factor = std::pow(kZoomPerNotch, angle.y() / kNotch);
    if (angle.x() != 0 || event.modifiers().testFlag(Qt::ShiftModifier)) {
        const int turn = angle.x() != 0 ? angle.x() : angle.y();
        m_view.range().pan(-kPanPerNotch * turn / kNotch);
    } else if (event.modifiers().testFlag(Qt::ControlModifier)) {
        zoomValues(factor, event.position().y());
    } else {
        m_view.range().zoom(factor, m_view.xScale().positionAtPixel(event.position().x()));
    }
    return true;
}

/// Keeps the value at that height where it is.
void PlotGestures::zoomValues(double factor, double at)
{
    const PlotScale scale = m_view.scale();
    const double bottom = at + (scale.area.bottom() - at) * factor;
    const double top = at + (scale.area.top() - at) * factor;
    m_view.range().zoomValues(
        m_view, std::pair(scale.valueAtPixel(bottom), scale.valueAtPixel(top)), true);
}

bool PlotGestures::pressKey(const QKeyEvent& event)
{
    if (m_pins.pressKey(event) || m_markers.pressKey(event)) {
        return true;
    }
    if (event.modifiers().testFlag(Qt::AltModifier)) {
        return false; // the window's
    }
    XRange& range = m_view.range();
    const double middle = m_view.xScale().positionAt(0.5);
    switch (event.key()) {
    case Qt::Key_Space:
        setSpaceHeld(true);
        return true;
    case Qt::Key_Backspace:
        event.modifiers().testFlag(Qt::ShiftModifier) ? range.forward() : range.back();
        return true;
    case Qt::Key_Home:
        range.fit();
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
    default:
        return pressLetter(event)
               || moveByKey(event.key(), event.modifiers().testFlag(Qt::ShiftModifier));
    }
}

bool PlotGestures::pressLetter(const QKeyEvent& event)
{
    if (event.modifiers() != Qt::NoModifier) {
        return false;
    }
    switch (event.key()) {
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

bool PlotGestures::moveByKey(int key, bool isFar)
{
    XRange& range = m_view.range();
    const std::int64_t rows = isFar ? kFarRows : 1;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_pointer.reset();
        range.crossHair().setReader(&m_view);
        range.crossHair().move(key == Qt::Key_Left ? -rows : rows);
        return true;
    case Qt::Key_PageUp:
        range.pan(-0.5);
        return true;
    case Qt::Key_PageDown:
        range.pan(0.5);
        return true;
    case Qt::Key_Escape:
        m_zoom.cancel();
        m_drag = Drag::None;
        m_pointer.reset();
        range.crossHair().setRow(std::nullopt);
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

} // namespace lockstep::ui
