// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/confusion_panel.h"

#include "panels/evaluation/class_figures_table.h"
#include "panels/evaluation/evaluation_text.h"
#include "panels/evaluation/mistakes_view.h"
#include "panels/shared/layouts.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/still_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

enum View { Matrix, Pairs, Figures, Mistakes, Trend };
enum Page { MatrixPage, PairsPage, FiguresPage, MistakesPage, TrendPage, MessagePage };
/// Pairs that a person may read.
constexpr std::size_t kMostPairs = 500;

struct TrendText
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::ClassTrend)
};

const ValueFormat kPercentOfShare{100.0, 2, QStringLiteral(" %")};

LinePlot* makeTrend(QWidget* parent)
{
    auto* const trend = new LinePlot(
        {TrendText::tr("Accuracy on the test set"),
         TrendText::tr("Share of the test examples whose label is the most probable class (top-1), "
                       "or among the five most probable ones (top-5), by step"),
         kPercentOfShare, XAxis::Step, 1.0},
        parent);
    trend->setObjectName(QStringLiteral("evaluation_accuracy"));
    trend->setEmptyText(TrendText::tr("Not evaluated yet"));
    return trend;
}

/// Top-1, and of more than five classes top-5, of all evaluations of a run, by both kinds of
/// weights.
void showTrend(LinePlot& trend, const std::vector<EvaluationRecord>& evaluations)
{
    const std::array names{
        TrendText::tr("top-1, moving averages"), TrendText::tr("top-1, weights"),
        TrendText::tr("top-5, moving averages"), TrendText::tr("top-5, weights")};
    std::vector<LineCurve> curves;
    QStringList captions;
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        LineCurve curve{names[static_cast<std::size_t>(i)], i};
        for (const EvaluationRecord& record : evaluations) {
            const double share = i < 2 ? record.accuracy : record.topFive();
            if ((record.weights == WeightsKind::Raw) == (i % 2 == 1) && std::isfinite(share)) {
                curve.points.emplace_back(static_cast<double>(record.step), share);
            }
        }
        if (curve.points.empty()) {
            continue;
        }
        if (i % 2 == 0) {
            captions.append(TrendText::tr("%1 %2").arg(
                curve.name, numberText(curve.points.back().y(), kPercentOfShare)));
        }
        curves.push_back(std::move(curve));
    }
    if (!evaluations.empty()) {
        const auto [first, last] = std::ranges::minmax(evaluations, {}, &EvaluationRecord::step);
        trend.setSpan(static_cast<double>(first.step), static_cast<double>(last.step));
    }
    trend.setCurves(std::move(curves), captions.join(QStringLiteral(" · ")));
}

} // namespace

ConfusionPanel::ConfusionPanel(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_shares(new QCheckBox(tr("Per cent"), this)),
      m_pages(new QStackedWidget(this)), m_matrix(new ConfusionView(this)),
      m_pairs(new QuietTable(
          QStringLiteral("evaluation_pairs"), tr("Classes that are confused"), this)),
      m_figures(new ClassFiguresTable(this)), m_mistakes(new MistakesView(this)),
      m_trend(makeTrend(this)), m_message(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_caption(new NoteLabel(NoteLabel::Tone::Plain, this))
{
    m_matrix->setObjectName(QStringLiteral("evaluation_matrix"));
    m_caption->setObjectName(QStringLiteral("evaluation_top"));
    m_message->setObjectName(QStringLiteral("evaluation_no_images"));
    m_message->setAlignment(Qt::AlignCenter);
    makePairs();
    // A page of its own around it: a note shows itself when it gets a text.
    auto* const words = new QWidget(this);
    (new QVBoxLayout(words))->addWidget(m_message);
    for (QWidget* const page : std::initializer_list<QWidget*>{
             m_matrix, m_pairs, m_figures, m_mistakes, m_trend, words}) {
        m_pages->addWidget(page);
    }
    columnIn(
        this, {}, 4,
        {m_tabs,
         {m_pages, 1},
         rowOf(
             {{new StillBox(m_caption, StillBox::Width::Fills, this), 1},
              m_shares,
              &m_mistakes->order()})});
    makeChoices();
    connect(m_matrix, &ConfusionView::chosenChanged, this, [this](const auto& place) {
        emit filterWanted(
            place ? ClassFilter{place->label, place->predicted, false} : ClassFilter{});
    });
    connect(m_figures, &ClassFiguresTable::filterWanted, this, &ConfusionPanel::filterWanted);
    showView(Matrix);
}

void ConfusionPanel::makeChoices()
{
    m_tabs->setObjectName(QStringLiteral("evaluation_views"));
    m_tabs->setAccessibleName(tr("What is shown of the evaluation"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // or the window would not fit narrow screens
    m_tabs->addTab(tr("Matrix"));
    m_tabs->addTab(tr("Pairs"));
    m_tabs->addTab(tr("Classes"));
    m_tabs->addTab(tr("Mistakes"));
    m_tabs->addTab(tr("Over time"));
    m_tabs->setTabToolTip(
        Matrix, tr("Rows are the labels, columns the predictions. Blue is right, orange was taken "
                   "for something else;\nthe stronger the colour, the larger the share of the "
                   "label. A click on a cell lists its images; another one lists all again."));
    m_tabs->setTabToolTip(Pairs, tr("Labels, and what most of their images are taken for instead"));
    m_tabs->setTabToolTip(
        Figures, tr("Recall, precision and F1 of each class. A click lists its images."));
    m_tabs->setTabToolTip(
        Mistakes, tr("The %1 images that the network is most wrong about")
                      .arg(static_cast<qulonglong>(MistakesView::kMost)));
    m_tabs->setTabToolTip(Trend, tr("Top-1 and top-5 of all evaluations of the run"));
    connect(m_tabs, &QTabBar::currentChanged, this, &ConfusionPanel::showView);
    m_shares->setObjectName(QStringLiteral("evaluation_shares"));
    m_shares->setToolTip(tr("Shares of the images of each label instead of counts: a row adds up "
                            "to 100 %, less what was taken for no class"));
    connect(m_shares, &QCheckBox::toggled, m_matrix, &ConfusionView::setShares);
}

void ConfusionPanel::makePairs()
{
    m_pairs->setModel(&m_pairModel);
    m_pairs->setSelectionMode(QAbstractItemView::SingleSelection);
    m_pairs->setAlternatingRowColors(true);
    m_pairs->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    // Not what becomes current: when the keyboard comes that is the first one, which nobody chose.
    connect(
        m_pairs->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this](const QItemSelection& selected) {
            if (!selected.isEmpty()) {
                const auto row = static_cast<std::size_t>(selected.first().top());
                const ConfusedPair& pair = m_pairModel.pairs()[row];
                emit filterWanted({pair.label, pair.predicted, false});
            }
        });
}

/// Of many classes, and without images, why there is nothing.
void ConfusionPanel::showView(int view)
{
    const bool isWordy = view == Matrix && m_matrix->classes() == 0;
    const bool isEmpty = view != Matrix && view != Trend && !m_hasImages;
    m_pages->setCurrentIndex(isWordy || isEmpty ? static_cast<int>(MessagePage) : view);
    m_shares->setVisible(view == Matrix && !isWordy);
    m_mistakes->order().setVisible(view == Mistakes && !isEmpty);
}

void ConfusionPanel::clear()
{
    m_mistakes->clear();
    setFilter({});
}

void ConfusionPanel::setPicture(const EvaluationPicture& picture, const QString& text)
{
    const bool wasMany =
        std::exchange(m_isManyClasses, picture.classNames.size() > ConfusionView::kMostClasses);
    m_hasImages = !picture.classified.empty();
    m_message->setNote(
        m_isManyClasses && m_hasImages ? tr("A matrix of %1 classes would be too small to read: "
                                            "the most confused ones are listed beside it.")
                                             .arg(picture.classNames.size())
                                       : text);
    m_caption->setNote(picture.chosen ? classesCaption(picture) : QString());
    showMatrix(picture);
    showPairs(picture);
    m_figures->setPicture(picture);
    m_mistakes->setPicture(picture);
    showTrend(*m_trend, picture.evaluations);
    if (m_isManyClasses && !wasMany && m_tabs->currentIndex() == Matrix) {
        m_tabs->setCurrentIndex(Pairs);
    }
    showView(m_tabs->currentIndex());
}

void ConfusionPanel::showMatrix(const EvaluationPicture& picture)
{
    if (!m_hasImages || m_isManyClasses) {
        m_matrix->setMatrix({}, {}, {});
        return;
    }
    const auto classes = static_cast<std::size_t>(picture.classNames.size());
    std::vector<qint64> counts(classes * classes);
    for (const ConfusionCell& cell : picture.confusion) {
        if (cell.predicted != ClassifiedImage::kNoClass) {
            counts
                [static_cast<std::size_t>(cell.label) * classes
                 + static_cast<std::size_t>(cell.predicted)] = cell.images;
        }
    }
    std::vector<qint64> totals;
    totals.reserve(classes);
    for (const ClassCount& label : classCounts(picture.confusion, picture.classNames.size())) {
        totals.push_back(label.images);
    }
    m_matrix->setMatrix(std::move(counts), std::move(totals), picture.classNames);
}

void ConfusionPanel::showPairs(const EvaluationPicture& picture)
{
    const auto counts = classCounts(picture.confusion, picture.classNames.size());
    std::vector<ConfusedPair> pairs;
    for (const ConfusionCell& cell : mostConfused(picture.confusion, kMostPairs)) {
        pairs.push_back(
            {cell.label, cell.predicted, cell.images,
             counts[static_cast<std::size_t>(cell.label)].images});
    }
    const QSignalBlocker blocker(m_pairs->selectionModel());
    m_pairModel.setPairs(std::move(pairs), picture.classNames);
}

void ConfusionPanel::setFilter(const ClassFilter& filter)
{
    m_figures->setFilter(filter);
    const bool isCell = filter.label && filter.predicted;
    const auto isThere = [&](int number) { return number >= 0 && number < m_matrix->classes(); };
    m_matrix->setChosen(
        isCell && isThere(*filter.label) && isThere(*filter.predicted)
            ? std::optional(MatrixPlace{*filter.label, *filter.predicted})
            : std::nullopt);
    const auto& pairs = m_pairModel.pairs();
    const auto pair = std::ranges::find_if(pairs, [&](const ConfusedPair& one) {
        return isCell && one.label == *filter.label && one.predicted == *filter.predicted;
    });
    const QSignalBlocker blocker(m_pairs->selectionModel());
    if (pair == pairs.end()) {
        m_pairs->clearSelection();
        m_pairs->setCurrentIndex({});
    } else {
        m_pairs->selectRow(static_cast<int>(pair - pairs.begin()));
    }
    m_pairs->viewport()->update();
}

} // namespace lockstep::ui
