// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/still_box.h"

#include <QEvent>

namespace lockstep::ui {

StillBox::StillBox(QWidget* content, Width width, QWidget* parent)
    : QWidget(parent), m_content(content), m_width(width)
{
    m_content->setParent(this);
    setSizePolicy(
        width == Width::Fills ? QSizePolicy::Ignored : QSizePolicy::Fixed, QSizePolicy::Preferred);
    take();
}

QSize StillBox::minimumSizeHint() const
{
    return {m_width == Width::Fills ? 1 : m_hint.width(), m_hint.height()};
}

bool StillBox::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_hint = {0, 0};
        take();
    } else if (event->type() == QEvent::LayoutRequest) {
        take();
    }
    return QWidget::event(event);
}

void StillBox::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_content->setGeometry(rect());
    take();
}

void StillBox::take()
{
    QSize wanted = m_content->sizeHint();
    if (m_width == Width::Fills && m_content->hasHeightForWidth()) {
        wanted.setHeight(m_content->heightForWidth(width()));
    }
    const QSize most = m_hint.expandedTo(wanted);
    const bool isMore =
        most.height() > m_hint.height() || (m_width == Width::Grows && most != m_hint);
    m_hint = most;
    if (isMore) {
        updateGeometry();
    }
}

} // namespace lockstep::ui
