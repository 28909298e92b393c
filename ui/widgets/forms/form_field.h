// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/note_label.h"

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>

class QToolButton;

namespace lockstep::ui {

class FieldEditor;

/// What a person reads about a field.
struct FieldText
{
    QString label; ///< with its mnemonic
    QString toolTip;
};

/// A row of a form: label, editor, and right under it what is wrong with the value and what there
/// is to know about it. The editor gets a red frame while something is wrong.
class FormField : public QWidget
{
    Q_OBJECT

public:
    /// `key` becomes the name of the input, see FieldEditor::describe().
    FormField(
        const QString& key, const FieldText& text, FieldEditor* editor, QWidget* parent = nullptr);

    [[nodiscard]] QString key() const { return m_key; }
    /// The label without its mnemonic.
    [[nodiscard]] QString title() const;
    [[nodiscard]] FieldEditor* editor() const { return m_editor; }

    /// `isMild`: in the colour of a note, without the frame.
    void setProblem(const QString& text, bool isMild = false);
    [[nodiscard]] QString problem() const { return m_problem->problem(); }
    /// The muted lines under the field; with a dot where they judge.
    void setNote(const QString& text, Judgement judgement = Judgement::None);
    [[nodiscard]] QString note() const { return m_note->note(); }
    /// Hides the note. Its place is kept or taken by the problem, so that the form does not jump
    /// while someone types.
    void setNoteVoid(bool isVoid);
    /// Puts the label above the editor, which is then as wide as the form: for long values.
    void setLabelAbove();
    /// Puts more under the field.
    void addBelow(QWidget* widget) { m_rows->addWidget(widget); }

    /// The width that the label asks for, and the one that it gets: that of the longest.
    [[nodiscard]] int labelWidth() const { return m_label->sizeHint().width(); }
    void setLabelWidth(int width) { m_label->setFixedWidth(width); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_key;
    QLabel* m_label;
    FieldEditor* m_editor;
    ProblemLabel* m_problem;
    NoteLabel* m_note;
    QBoxLayout* m_row; ///< label and editor
    QVBoxLayout* m_rows;
    bool m_isNoteVoid = false;
    bool m_isMild = false;
};

/// A title with an arrow that shows and hides what is under it, and scrolls there. Closed at first.
/// What is wrong in there is said under the title while it is closed.
class Disclosure : public QWidget
{
    Q_OBJECT

public:
    explicit Disclosure(const QString& title, QWidget* parent = nullptr);

    /// What is shown and hidden; add to its layout.
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    void setOpen(bool isOpen);
    void setProblem(const QString& text);

private:
    void showState();
    void bringUp();

    QToolButton* m_button;
    ProblemLabel* m_problem;
    QWidget* m_content;
    QVBoxLayout* m_body;
    QString m_hiddenProblem;
    bool m_isOpen = false;
};

} // namespace lockstep::ui
