// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/number_dialog.h"

#include "widgets/forms/form_field.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"

#include <QDialogButtonBox>
#include <QPushButton>

namespace lockstep::ui {
namespace {

constexpr int kWidth = 420;

FieldEditor* makeEditor(bool isWhole, QWidget* parent)
{
    if (!isWhole) {
        return new DecimalEditor(parent);
    }
    constexpr WholeNumberBox::Range kRange{1, 1'000'000'000'000, 1000};
    auto* const editor = new WholeNumberEditor(parent);
    editor->box()->setRange(kRange);
    return editor;
}

} // namespace

NumberDialog::NumberDialog(const NumberQuestion& question, QWidget* parent)
    : QDialog(parent), m_question(question),
      m_field(new FormField(
          question.name + QStringLiteral(".value"), {question.label, question.text},
          makeEditor(question.isWhole, this), this))
{
    setObjectName(question.name);
    setWindowTitle(question.title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* const text = new NoteLabel(NoteLabel::Tone::Plain, this);
    text->setNote(question.text);
    m_field->editor()->setText(question.value);
    m_field->setNote(question.note);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(question.accept, QDialogButtonBox::AcceptRole);
    m_accept->setDefault(true);

    columnIn(this, {16, 14, 16, 14}, 12, {text, m_field, space(), buttons});
    connect(m_field->editor(), &FieldEditor::edited, this, &NumberDialog::check);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        check(); // a step more may have been made
        if (m_accept->isEnabled()) {
            const QString value = m_field->editor()->text();
            accept();
            m_question.take(value);
        }
    });
    resize(kWidth, sizeHint().height());
    check();
    m_field->editor()->input()->setFocus();
    QMetaObject::invokeMethod(m_field->editor()->input(), "selectAll");
}

void NumberDialog::check()
{
    const QString problem = m_question.problemOf(m_field->editor()->text());
    m_field->setProblem(problem);
    m_accept->setEnabled(problem.isEmpty());
    m_accept->setToolTip(problem);
}

} // namespace lockstep::ui
