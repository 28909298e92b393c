// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace lockstep::ui {

/// The user guide: chapters on the left, the chosen one on the right, a search through all of them.
/// Everything is in the program; links lead from chapter to chapter, or out to the desktop's
/// browser. Not modal.
class UserGuide : public QDialog
{
    Q_OBJECT

public:
    explicit UserGuide(QWidget* parent = nullptr);

    /// The names of all chapters, in their order: "first-run".
    static const QStringList& chapters();
    /// The text of a chapter, in Markdown; empty if there is none of this name.
    static QString textOf(const QString& chapter);

    /// Shows a chapter from its beginning; an unknown one is the first.
    void showChapter(const QString& chapter);
    [[nodiscard]] QString chapter() const;

public slots:
    /// The next place where the search text stands, from the one that is marked on; after the last
    /// one the first.
    void findNext() { find(true); }
    void findPrevious() { find(false); }

private:
    [[nodiscard]] QLayout* makeSearch();
    void find(bool isForward);
    bool findHere(bool isForward);
    void openLink(const QUrl& link);

    QListWidget* m_chapters;
    QTextBrowser* m_text;
    QLineEdit* m_search;
    QLabel* m_notFound;
};

} // namespace lockstep::ui
