// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/form_field.h"

#include "widgets/forms/value_editors.h"

#include <QHBoxLayout>
#include <QPainter>

namespace lockstep::ui {
namespace {

constexpr int kEditorHeight =
    26; ///< the same for every kind of input, unless the font asks for more
constexpr int kFieldLabelGap = 8;
constexpr int kRowGap = 3;
constexpr int kFrameMargin = 2; ///< where the red frame is drawn

QString withoutMnemonic(QString label)
{
    return label.remove(QLatin1Char('&'));
}

} // namespace

FormField::FormField(
    const QString& key, const FieldText& text, FieldEditor* editor, QWidget* parent)
    : QWidget(parent), m_key(key), m_label(new QLabel(text.label, this)), m_editor(editor),
      m_problem(new ProblemLabel(this)), m_note(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_row(new QHBoxLayout), m_rows(new QVBoxLayout(this))
{
    editor->setParent(this);
    editor->describe(key, withoutMnemonic(text.label), text.toolTip);
    editor->input()->setMinimumHeight(qMax(kEditorHeight, fontMetrics().height() + 8));
    m_label->setBuddy(editor->input());
    m_label->setToolTip(text.toolTip);

    m_row->setSpacing(kFieldLabelGap);
    m_row->addWidget(m_label);
    m_row->addWidget(editor, 1);
    m_rows->setContentsMargins(0, kFrameMargin, kFrameMargin, kFrameMargin);
    m_rows->setSpacing(kRowGap);
    m_rows->addLayout(m_row);
    m_rows->addWidget(m_problem);
    m_rows->addWidget(m_note);
}

QString FormField::title() const
{
    return withoutMnemonic(m_label->text());
}

void FormField::setProblem(const QString& text)
{
    if (text == problem()) {
        return;
    }
    m_problem->setProblem(text);
    m_note->setVoid(m_isNoteVoid, text.isEmpty());
    m_editor->input()->setProperty("hasProblem", !text.isEmpty());
    m_editor->input()->setAccessibleDescription(text);
    update();
}

void FormField::setNote(const QString& text, Judgement judgement)
{
    m_note->setNote(text);
    m_note->setJudgement(judgement);
}

void FormField::setNoteVoid(bool isVoid)
{
    m_isNoteVoid = isVoid;
    m_note->setVoid(isVoid, problem().isEmpty());
}

void FormField::setLabelAbove()
{
    m_row->setDirection(QBoxLayout::TopToBottom);
    m_row->setAlignment(m_label, Qt::AlignLeft);
    m_row->setSpacing(kRowGap);
}

void FormField::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    if (problem().isEmpty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(alertTextColor(palette()), 1.5));
    const QWidget* input = m_editor->input();
    const QRect around(input->mapTo(this, QPoint(0, 0)), input->size());
    painter.drawRoundedRect(QRectF(around).adjusted(-1, -1, 1, 1), 3, 3);
}

} // namespace lockstep::ui
