// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/form_field.h"

#include "widgets/forms/layouts.h"
#include "widgets/forms/value_editors.h"

#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>

namespace lockstep::ui {
namespace {

/// The same for every kind of input, unless the font asks for more.
constexpr int kEditorHeight = 26;
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
      m_row(rowOf({m_label, {editor, 1}}, kFieldLabelGap)),
      m_rows(columnIn(
          this, {0, kFrameMargin, kFrameMargin, kFrameMargin}, kRowGap, {m_row, m_problem, m_note}))
{
    editor->describe(key, withoutMnemonic(text.label), text.toolTip);
    editor->input()->setMinimumHeight(qMax(kEditorHeight, fontMetrics().height() + 8));
    m_label->setBuddy(editor->input());
    m_label->setToolTip(text.toolTip);
}

QString FormField::title() const
{
    return withoutMnemonic(m_label->text());
}

void FormField::setProblem(const QString& text, bool isMild)
{
    if (text == problem() && isMild == m_isMild) {
        return;
    }
    m_isMild = isMild;
    m_problem->setProblem(text, isMild);
    m_note->setVoid(m_isNoteVoid, text.isEmpty());
    m_editor->input()->setProperty("hasProblem", !text.isEmpty() && !isMild);
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
    if (problem().isEmpty() || m_isMild) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(alertTextColor(palette()), 1.5));
    const QWidget* input = m_editor->input();
    const QRect around(input->mapTo(this, QPoint(0, 0)), input->size());
    painter.drawRoundedRect(QRectF(around).adjusted(-1, -1, 1, 1), 3, 3);
}

Disclosure::Disclosure(const QString& title, QWidget* parent)
    : QWidget(parent), m_button(new QToolButton(this)), m_problem(new ProblemLabel(this)),
      m_content(new QWidget(this)), m_body(columnIn(m_content, {}, kUsualSpacing, {}))
{
    m_button->setText(title);
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setToolTip(tr("Show or hide the settings that rarely change"));
    columnIn(this, {}, 4, {{m_button, 0, Qt::AlignLeft}, m_problem, m_content});
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
