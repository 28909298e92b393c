// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"
#include "models/evaluation/image_models.h"
#include "widgets/pictures/confusion_view.h"

#include <QHash>
#include <QImage>
#include <QSortFilterProxyModel>
#include <QWidget>

#include <cstddef>
#include <vector>

class QCheckBox;
class QComboBox;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace lockstep::ui {

class LinePlot;
class NoteLabel;
class PictureCards;

/// The test images that a network is most wrong about, as pictures: what each is, what it was taken
/// for and how surely. Asks for those pictures only that it does not have, and only while it is
/// visible.
class MistakesView : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 24;

    explicit MistakesView(QWidget* parent = nullptr);

    /// Which mistakes come first; it may stand elsewhere.
    [[nodiscard]] QComboBox& order() const noexcept { return *m_order; }
    /// Another run: its images are others.
    void clear();
    void setPicture(const EvaluationPicture& picture);
    void setImage(qint64 example, const QImage& image);

signals:
    /// Pictures of these examples are needed; not those of before any more.
    void imagesWanted(const std::vector<qint64>& examples);
    /// A person wants to see more of one.
    void exampleWanted(qint64 example);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void show();
    void askForImages();

    std::vector<ClassifiedImage> m_images;
    std::vector<ClassifiedImage> m_shown;
    QStringList m_names;
    QHash<qint64, QImage> m_pictures; ///< by example
    QComboBox* m_order;
    PictureCards* m_cards;
};

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
    /// What the table lists: marks the cell of its label and prediction, the pair or the class.
    /// Tells nobody.
    void setFilter(const ClassFilter& filter);
    [[nodiscard]] MistakesView& mistakes() const noexcept { return *m_mistakes; }
    void showMistakes();

signals:
    /// A person chose a cell, a pair or a class, or none.
    void filterWanted(const lockstep::ui::ClassFilter& filter);

private:
    void makeChoices();
    void makeFigures();
    void listImages(QTableView& table, QAbstractItemModel& model);
    void showView(int view);
    void showMatrix(const EvaluationPicture& picture, const std::vector<ClassCount>& labels);
    void showPairs(const EvaluationPicture& picture, const std::vector<ClassCount>& labels);
    void showFigures(const EvaluationPicture& picture, const std::vector<ClassCount>& labels);

    ConfusedPairModel m_pairModel;
    ClassFiguresModel m_figureModel;
    QSortFilterProxyModel m_figureOrder;
    bool m_isManyClasses = false;
    bool m_hasImages = false;

    QTabBar* m_tabs;
    QCheckBox* m_shares;
    QStackedWidget* m_pages;
    ConfusionView* m_matrix;
    QTableView* m_pairs;
    QTableView* m_figures;
    MistakesView* m_mistakes;
    LinePlot* m_trend;
    NoteLabel* m_message;
    NoteLabel* m_caption;
};

} // namespace lockstep::ui
