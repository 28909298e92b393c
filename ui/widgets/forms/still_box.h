// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QResizeEvent>
#include <QWidget>

namespace lockstep::ui {

/// Keeps changes of what is in it from the layout around it. A label asks for a new layout with
/// every text, which goes up to the window and costs more than painting the text. The box asks for
/// one only when its content wants more room than ever before, at its width, so that figures which
/// come and go don't move what stands beside them.
class StillBox : public QWidget
{
public:
    /// Grows: as wide as the content ever wanted to be. Fills: as wide as there is room for.
    enum class Width { Grows, Fills };

    /// Takes the content over.
    StillBox(QWidget* content, Width width, QWidget* parent = nullptr)
        : QWidget(parent), m_content(content), m_width(width)
    {
        m_content->setParent(this);
        setSizePolicy(
            width == Width::Fills ? QSizePolicy::Ignored : QSizePolicy::Fixed,
            QSizePolicy::Preferred);
        take();
    }

    [[nodiscard]] QSize sizeHint() const override { return m_hint; }
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return {m_width == Width::Fills ? 1 : m_hint.width(), m_hint.height()};
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
            m_hint = {0, 0};
            take();
        } else if (event->type() == QEvent::LayoutRequest) {
            take();
        }
        return QWidget::event(event);
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QWidget::resizeEvent(event);
        m_content->setGeometry(rect());
        if (m_width == Width::Fills && event->size().width() != event->oldSize().width()) {
            m_hint.setHeight(0); // what it wanted at another width
        }
        take();
    }

private:
    void take()
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

    QWidget* m_content;
    Width m_width;
    QSize m_hint{0, 0};
};

} // namespace lockstep::ui
