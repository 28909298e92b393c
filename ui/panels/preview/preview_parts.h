// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/example_study.h"
#include "models/evaluation/image_models.h"

#include <QRectF>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;
class QToolButton;

namespace lockstep::ui {

class NoteLabel;
class PictureCards;
class WholeNumberBox;

/// Stands where the preview would be: what is being loaded and how far, with a way to end it, or
/// why there is nothing, with a way to try again.
class PreviewMessage : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewMessage(QWidget* parent = nullptr);

    void setWaiting(const QString& text) { showParts(text, false, false); }
    /// `share` of the loading is done, 0 to 1.
    void setLoading(const QString& text, double share);
    void setProblem(const QString& text) { showParts(text, false, true); }

signals:
    void cancelled();
    void again();

private:
    void showParts(const QString& text, bool isLoading, bool isProblem);

    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QPushButton* m_again;
};

/// Goes through steps, or pages, one by one: to the first, the previous, the next, any that is
/// typed, and the newest.
class PreviewSteps : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewSteps(QWidget* parent = nullptr);

    /// What is shown; nothing is emitted. What a person types just now stays in the box.
    void setStep(qint64 step);
    /// The last one that there is, what one is called: "step", "page"; and whether there is a
    /// newest one to go to.
    void setRange(qint64 last, const QString& name, bool hasNewest);

signals:
    /// A person wants to see this one. What is typed settles before.
    void stepChosen(qint64 step);
    void newestWanted();

private:
    void choose(qint64 step);
    void onTyped();
    void updateButtons();

    QToolButton* m_first;
    QToolButton* m_previous;
    WholeNumberBox* m_box;
    QToolButton* m_next;
    QToolButton* m_newest;
    QTimer m_settled;
    qint64 m_step = 0;
    qint64 m_last = 0;
};

/// One example: as it lies in the data set, with the part that is cut out, and as the network sees
/// it in this epoch and in those that follow, with what was drawn for each.
class StudyView : public QWidget
{
    Q_OBJECT

public:
    explicit StudyView(QWidget* parent = nullptr);

    void setStudy(const ExampleStudy& study);

signals:
    void closed();

private:
    void showBox(int card);

    NoteLabel* m_title;
    NoteLabel* m_problem;
    PictureCards* m_cards;
    std::vector<QRectF> m_crops; ///< of each card
};

/// How many examples of each class a data set has, as bars; sorted by any column.
class BalancePage : public QWidget
{
    Q_OBJECT

public:
    explicit BalancePage(QWidget* parent = nullptr);

    void setBalance(const ClassBalance& balance);

private:
    void makeTable();

    ClassBalanceModel m_model;
    QSortFilterProxyModel m_order;
    QTableView* m_table;
    NoteLabel* m_words;
};

/// How evenly the classes of both splits are filled, a line for each: "Train: 50,000 examples of 10
/// classes, 5,000 each"; "… the largest class (ship: 900) has 3.0 times as many as the smallest
/// (cat: 300)"; which classes have none; and that batches are balanced, where they are.
QString balanceText(const ClassBalance& balance);

} // namespace lockstep::ui
