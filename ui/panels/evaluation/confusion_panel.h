// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"
#include "models/evaluation/image_models.h"
#include "widgets/pictures/confusion_view.h"

#include <QWidget>

class QCheckBox;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace lockstep::ui {

class ClassFiguresTable;
class LinePlot;
class MistakesView;
class NoteLabel;

/// Which classes an evaluation takes for which: the confusion matrix, or, for any number of
/// classes, the pairs that are confused most; recall and precision of each class; the worst
/// mistakes; and how right all evaluations of the run are.
class ConfusionPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ConfusionPanel(QWidget* parent = nullptr);

    /// Another run, of which nothing is known yet.
    void clear();
    /// `text` stands where there are no images.
    void setPicture(const EvaluationPicture& picture, const QString& text);
    /// What the table lists: marks the cell of its label and prediction. Tells nobody.
    void setFilter(const ClassFilter& filter);
    [[nodiscard]] MistakesView& mistakes() const noexcept { return *m_mistakes; }

signals:
    /// A person chose a cell or a pair, or none.
    void filterWanted(const lockstep::ui::ClassFilter& filter);

private:
    void makeChoices();
    void makePairs();
    void showView(int view);
    void showMatrix(const EvaluationPicture& picture);
    void showPairs(const EvaluationPicture& picture);

    ConfusedPairModel m_pairModel;
    bool m_isManyClasses = false;
    bool m_hasImages = false;

    QTabBar* m_tabs;
    QCheckBox* m_shares;
    QStackedWidget* m_pages;
    ConfusionView* m_matrix;
    QTableView* m_pairs;
    ClassFiguresTable* m_figures;
    MistakesView* m_mistakes;
    LinePlot* m_trend;
    NoteLabel* m_message;
    NoteLabel* m_caption;
};

} // namespace lockstep::ui
