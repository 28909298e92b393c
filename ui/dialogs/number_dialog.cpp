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

NumberDialog::NumberDialog(const NumberQuestion& question, QWidget* parent) : QDialog(parent)
{
    FieldEditor* const editor = makeEditor(question.isWhole, this);
    auto* const field = new FormField(
        question.name + QStringLiteral(".value"), {question.label, question.text}, editor, this);
    setObjectName(question.name);
    setWindowTitle(question.title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* const text = new NoteLabel(NoteLabel::Tone::Plain, this);
    text->setNote(question.text);
    editor->setText(question.value);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* const agree = buttons->addButton(question.accept, QDialogButtonBox::AcceptRole);
    agree->setDefault(true);

    columnIn(this, {16, 14, 16, 14}, 12, {text, field, space(), buttons});
    const auto check = [editor, field, agree, question] {
        const QString value = editor->text();
        const QString problem = question.problemOf(value);
        const QString warning = question.warningOf ? question.warningOf(value) : QString();
        field->setProblem(problem);
        warning.isEmpty() ? field->setNote(question.note)
                          : field->setNote(warning, Judgement::Doubtful);
        agree->setEnabled(problem.isEmpty());
        agree->setToolTip(problem);
    };
    connect(editor, &FieldEditor::edited, this, check);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(
        buttons, &QDialogButtonBox::accepted, this,
        [this, check, editor, agree, take = question.take] {
            check(); // a step more may have been made
            if (agree->isEnabled()) {
                const QString value = editor->text();
                accept();
                take(value);
            }
        });
    resize(kWidth, sizeHint().height());
    check();
    editor->input()->setFocus();
    QMetaObject::invokeMethod(editor->input(), "selectAll");
}

} // namespace lockstep::ui
