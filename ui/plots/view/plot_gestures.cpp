// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_gestures.h"

#include "plots/parts/color_menu.h"
#include "plots/view/plot_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>
#include <functional>
#include <map>

namespace lockstep::ui {
namespace {

constexpr double kZoomPerNotch = 0.8;
constexpr double kPanPerNotch = 0.1;
constexpr double kNotch = 120.0;
constexpr double kZoomPerKey = 0.8;
constexpr std::int64_t kFarRows = 100;
/// A drag lower than this zooms the x axis only; shorter than the other, it is a click.
constexpr double kFlatDrag = 28.0;
constexpr double kLeastDrag = 5.0;

} // namespace

PlotGestures::PlotGestures(PlotView& view) : QObject(&view), m_view(view)
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
        return openMenu(static_cast<const QContextMenuEvent&>(*event));
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
        m_view.range().turn(
            event.button() == Qt::BackButton ? XRange::Turn::Back : XRange::Turn::Forward);
        return true;
    }
    const bool isLeft = event.button() == Qt::LeftButton;
    if (isLeft && m_view.room().foldMark().contains(event.position())) {
        emit m_view.foldRequested();
        return true;
    }
    if (m_view.room().isFolded()) {
        return false;
    }
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    if (pressPin(event) || (isLeft && m_view.legend().toggle(event.position(), isShifted))) {
        return true;
    }
    const bool isPan = event.button() == Qt::MiddleButton || (isLeft && m_isSpaceHeld);
    if (m_drag != Drag::None || m_view.isEmpty() || (!isPan && !isLeft)) {
        return false;
    }
    m_drag = isPan ? Drag::Pan : Drag::Select;
    m_from = m_to = event.position();
    m_isOfValues = isShifted;
    if (isPan) {
        m_view.setCursor(Qt::ClosedHandCursor);
    }
    return true;
}

/// Opens what can be done with the checkpoint.
bool PlotGestures::pressPin(const QMouseEvent& event)
{
    PinRow* const pins = m_view.shared().pins;
    const bool isMeant = event.button() == Qt::LeftButton || event.button() == Qt::RightButton;
    const auto group = pins != nullptr && isMeant ? pins->groupAt(m_view.xScale(), event.position())
                                                  : std::nullopt;
    if (group) {
        emit pins->chosen(*group, event.globalPosition().toPoint());
    }
    return group.has_value();
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

bool PlotGestures::move(const QMouseEvent& event)
{
    if (m_view.room().isFolded()) {
        return false;
    }
    const QPointF point = event.position();
    if (m_drag == Drag::Pan) {
        m_view.range().pan((m_to.x() - point.x()) / m_view.xScale().area.width());
    }
    m_to = point;
    if (m_drag == Drag::Select) {
        m_view.setSelection(selection());
    }
    if (m_drag == Drag::None && markAt(point)) {
        m_view.range().crossHair().setRow(std::nullopt);
        m_pointer.reset();
        return true;
    }
    moveCursorTo(point);
    if (TowerHighlight* const highlight = m_view.shared().highlight) {
        highlight->point(towerAt(point));
    }
    return true;
}

bool PlotGestures::release()
{
    if (m_drag == Drag::Select) {
        zoomToSelection();
    }
    if (m_drag == Drag::Pan) {
        m_view.setCursor(m_isSpaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
    m_drag = Drag::None;
    return true;
}

void PlotGestures::leave()
{
    constexpr QPointF kNowhere(-1.0, -1.0);
    m_pointer.reset();
    m_view.range().crossHair().setRow(std::nullopt);
    markAt(kNowhere);
    if (TowerHighlight* const highlight = m_view.shared().highlight) {
        highlight->point(std::nullopt);
    }
}

/// The colour of a key's tower or run. Where a pin is, the press has opened the menu of its
/// checkpoints already; there, too, the chart's own menu is not wanted.
bool PlotGestures::openMenu(const QContextMenuEvent& event)
{
    if (event.reason() != QContextMenuEvent::Mouse) {
        return false;
    }
    const PinRow* const pins = m_view.shared().pins;
    const std::optional<ColorOwner> owner = m_view.legend().ownerAt(event.pos());
    if (owner) {
        openColorMenu(*owner, event.globalPos(), m_view);
    }
    return owner || (pins != nullptr && pins->groupAt(m_view.xScale(), event.pos()));
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

/// Lights the pin or the marker there; says whether there is one.
bool PlotGestures::markAt(QPointF point)
{
    const bool wasAtPin = m_isAtPin;
    const bool isAtPin = mark(m_view.shared().pins, m_isAtPin, point);
    if (wasAtPin || isAtPin) {
        m_view.setCursor(isAtPin ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    return isAtPin || mark(m_view.shared().markers, m_isAtMarker, point);
}

bool PlotGestures::mark(AxisMarks* row, bool& isAtMark, QPointF point)
{
    if (row == nullptr) {
        return false;
    }
    const auto group = row->groupAt(m_view.xScale(), point);
    if (group || isAtMark) {
        row->mark(group ? std::optional(group->members.front()) : std::nullopt);
    }
    isAtMark = group.has_value();
    return isAtMark;
}

/// Whose key or curve is there.
std::optional<int> PlotGestures::towerAt(QPointF point) const
{
    if (const auto owner = m_view.legend().ownerAt(point)) {
        return owner->kind == ColorOwner::Kind::Tower ? std::optional(owner->number) : std::nullopt;
    }
    const std::optional<Moment> moment = m_view.range().crossHair().moment();
    if (!moment || !m_view.xScale().area.contains(point)) {
        return std::nullopt;
    }
    return towerNear(m_view.legend().shown(m_view.curves()), m_view.scale(), *moment, point.y());
}

bool PlotGestures::pressKey(const QKeyEvent& event)
{
    if (pressMarkKey(event)) {
        return true;
    }
    if (event.modifiers().testFlag(Qt::AltModifier)) {
        return false; // the window's
    }
    XRange& range = m_view.range();
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    const auto zoom = [&](double factor) { range.zoom(factor, m_view.xScale().positionAt(0.5)); };
    const auto moveCrossHair = [&](std::int64_t rows) {
        m_pointer.reset();
        range.crossHair().setReader(&m_view);
        range.crossHair().move(isShifted ? kFarRows * rows : rows);
    };
    const auto leaveAll = [&] {
        m_view.setSelection({});
        m_drag = Drag::None;
        m_pointer.reset();
        range.crossHair().setRow(std::nullopt);
    };
    const std::map<int, std::function<void()>> actions{
        {Qt::Key_Space, [&] { setSpaceHeld(true); }},
        {Qt::Key_Backspace,
         [&] { range.turn(isShifted ? XRange::Turn::Forward : XRange::Turn::Back); }},
        {Qt::Key_Home, [&] { range.fit(); }},
        {Qt::Key_End, [&] { range.follow(); }},
        {Qt::Key_Plus, [&] { zoom(kZoomPerKey); }},
        {Qt::Key_Equal, [&] { zoom(kZoomPerKey); }},
        {Qt::Key_Minus, [&] { zoom(1.0 / kZoomPerKey); }},
        {Qt::Key_PageUp, [&] { range.pan(-0.5); }},
        {Qt::Key_PageDown, [&] { range.pan(0.5); }},
        {Qt::Key_Left, [&] { moveCrossHair(-1); }},
        {Qt::Key_Right, [&] { moveCrossHair(1); }},
        {Qt::Key_Escape, leaveAll},
        {Qt::Key_L, [&] { m_view.setLogarithmic(!m_view.isLogarithmic()); }},
        {Qt::Key_O, [&] { range.setRobust(!range.isRobust()); }},
        {Qt::Key_F, [&] { emit m_view.foldRequested(); }},
        {Qt::Key_M, [&] { emit m_view.maximizeRequested(); }}};
    const auto action = actions.find(event.key());
    const bool isLetter = event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z;
    if (action == actions.end() || (isLetter && event.modifiers() != Qt::NoModifier)) {
        return false;
    }
    action->second();
    return true;
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
