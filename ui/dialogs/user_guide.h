// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QStringList>

class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTextBrowser;
class QTextDocument;

namespace lockstep::ui {

/// The user guide: chapters on the left, or what a search found in all of them, the chosen one on
/// the right. Everything is in the program; links lead from chapter to chapter, or out to the
/// desktop's browser. Not modal.
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
    /// To the next place of those that were found, or by -1 to the one before; after the last one
    /// comes the first.
    void goOn(int by);

private:
    void makeSearch();
    void search();
    void showHit();

    QListWidget* m_chapters;
    QListWidget* m_hits;
    QStackedWidget* m_lists; ///< one of both
    QTextBrowser* m_text;
    QList<QTextDocument*> m_searched; ///< a chapter each; none before the first search
    QLineEdit* m_search;
    QLabel* m_notFound;
};

} // namespace lockstep::ui
