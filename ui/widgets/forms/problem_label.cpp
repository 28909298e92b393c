// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/problem_label.h"

#include "theme/icons.h"
#include "widgets/forms/note_label.h"

#include <QEvent>
#include <QHBoxLayout>

namespace lockstep::ui {

ProblemLabel::ProblemLabel(QWidget* parent)
    : QWidget(parent), m_sign(new QLabel(this)), m_text(new NoteLabel(NoteLabel::Tone::Alert, this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    row->addWidget(m_sign, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    drawSign();
    hide();
}

void ProblemLabel::setProblem(const QString& text)
{
    if (text != problem()) {
        m_text->setNote(text);
        setVisible(!text.isEmpty());
    }
}

QString ProblemLabel::problem() const
{
    return m_text->note();
}

void ProblemLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        drawSign();
    }
    QWidget::changeEvent(event);
}

void ProblemLabel::drawSign()
{
    const int side = fontMetrics().height();
    m_sign->setPixmap(iconPixmap(
        IconName::Warning, {side, side}, devicePixelRatioF(), alertTextColor(palette())));
}

} // namespace lockstep::ui
