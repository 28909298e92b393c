// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/disclosure.h"

#include "widgets/forms/note_label.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep::ui {

Disclosure::Disclosure(const QString& title, QWidget* parent)
    : QWidget(parent), m_button(new QToolButton(this)), m_problem(new ProblemLabel(this)),
      m_content(new QWidget(this)), m_body(new QVBoxLayout(m_content))
{
    m_button->setText(title);
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setToolTip(tr("Show or hide the settings that rarely change"));
    m_body->setContentsMargins(0, 0, 0, 0);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(m_button, 0, Qt::AlignLeft);
    rows->addWidget(m_problem);
    rows->addWidget(m_content);
    connect(m_button, &QToolButton::clicked, this, [this] {
        setOpen(!m_isOpen);
        if (m_isOpen) { // once there is something to scroll to
            QTimer::singleShot(0, this, &Disclosure::bringUp);
        }
    });
    showState();
}

/// Its head to the upper edge of what scrolls.
void Disclosure::bringUp()
{
    for (QWidget* parent = parentWidget(); parent != nullptr; parent = parent->parentWidget()) {
        if (auto* const area = qobject_cast<QScrollArea*>(parent)) {
            area->verticalScrollBar()->setValue(mapTo(area->widget(), QPoint()).y());
        }
    }
}

void Disclosure::setOpen(bool isOpen)
{
    m_isOpen = isOpen;
    showState();
}

void Disclosure::setProblem(const QString& text)
{
    m_hiddenProblem = text;
    showState();
}

void Disclosure::showState()
{
    m_button->setArrowType(m_isOpen ? Qt::DownArrow : Qt::RightArrow);
    m_button->setAccessibleDescription(m_isOpen ? tr("open") : tr("closed"));
    m_content->setVisible(m_isOpen);
    m_problem->setProblem(m_isOpen ? QString() : m_hiddenProblem);
}

} // namespace lockstep::ui
