// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/value_editors.h"

#include <QToolButton>

namespace lockstep::ui {

/// A folder: a line to type it into and a button to choose it with.
class FolderEditor : public TextEditor
{
    Q_OBJECT

public:
    explicit FolderEditor(QWidget* parent = nullptr);

    void describe(const QString& key, const QString& name, const QString& toolTip) override;
    /// What counts as long as nothing is typed.
    void setPlaceholder(const QString& text) { line()->setPlaceholderText(text); }
    /// Whether the folders are of this computer, so that the button can show them.
    void setBrowsable(bool isBrowsable) { m_button->setVisible(isBrowsable); }
    /// The button asks which, a folder or a file such as an archive; `filter` as QFileDialog has
    /// it.
    void offerFile(const QString& title, const QString& filter);

private:
    /// For a file where there is a filter, else for a folder.
    void browse(const QString& filter = {});

    QToolButton* m_button;
};

/// One of several names, or a file; its last choice asks for one.
class NameOrFileEditor final : public ChoiceEditor
{
    Q_OBJECT

public:
    /// `fileChoice`: title of the last choice. `filter`: as QFileDialog has it.
    NameOrFileEditor(
        const QList<Choice>& names, const QString& fileChoice, QString filter,
        QWidget* parent = nullptr);

    [[nodiscard]] QString text() const override
    {
        return isAsking() ? m_last : ChoiceEditor::text();
    }
    /// A file is shown by its name alone.
    void setText(const QString& text) override;

private:
    [[nodiscard]] bool isAsking() const;

    QString m_filter;
    QString m_last; ///< the value while the question for a file is open, and after it is cancelled
};

} // namespace lockstep::ui
