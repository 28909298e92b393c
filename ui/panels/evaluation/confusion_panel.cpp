// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/confusion_panel.h"

#include "panels/shared/row_painting.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/still_box.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/picture_cards.h"

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

enum View { Matrix, Pairs, Figures, Mistakes, Trend, Words };
/// Pairs that a person may read.
constexpr std::size_t kMostPairs = 500;
constexpr int kMeasuredRows = 100; ///< by which the widths of columns are measured
constexpr int kFigureMargins = 16;

const ValueFormat kPercentOfShare{100.0, 2, QStringLiteral(" %")};

/// "top-1 74.12 % · top-5 98.23 % · 10,000 images · macro recall 74.12 %".
QString classesCaption(const EvaluationPicture& picture)
{
    const EvaluationRecord& chosen = *picture.chosen;
    QStringList parts{
        ConfusionPanel::tr("top-1 %1").arg(numberText(chosen.accuracy, kPercentOfShare))};
    if (chosen.inTopFive) {
        parts.append(
            ConfusionPanel::tr("top-5 %1").arg(numberText(chosen.topFive(), kPercentOfShare)));
    }
    if (!picture.confusion.empty()) {
        const auto counts = classCounts(picture.confusion, picture.classNames.size());
        parts.append(ConfusionPanel::tr("macro recall %1")
                         .arg(numberText(macroRecall(counts), kPercentOfShare)));
    }
    parts.append(ConfusionPanel::tr("%1 images").arg(countText(chosen.examples)));
    return parts.join(QStringLiteral(" · "));
}

LinePlot* makeTrend(QWidget* parent)
{
    auto* const trend = new LinePlot(
        {ConfusionPanel::tr("Accuracy on the test set"),
         ConfusionPanel::tr(
             "Share of the test examples whose label is the most probable class (top-1), "
             "or among the five most probable ones (top-5), by step"),
         kPercentOfShare, XAxis::Step, 1.0},
        parent);
    trend->setObjectName(QStringLiteral("evaluation_accuracy"));
    trend->setEmptyText(ConfusionPanel::tr("Not evaluated yet"));
    return trend;
}

/// Top-1, and of more than five classes top-5, of all evaluations of a run, by both kinds of
/// weights.
void showTrend(LinePlot& trend, const std::vector<EvaluationRecord>& evaluations)
{
    const std::array names{
        ConfusionPanel::tr("top-1, moving averages"), ConfusionPanel::tr("top-1, weights"),
        ConfusionPanel::tr("top-5, moving averages"), ConfusionPanel::tr("top-5, weights")};
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
            captions.append(ConfusionPanel::tr("%1 %2").arg(
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

MistakesView::MistakesView(QWidget* parent)
    : QWidget(parent), m_order(new QComboBox(this)),
      m_cards(new PictureCards(tr("Images that were taken for something else"), this))
{
    m_cards->setObjectName(QStringLiteral("evaluation_mistakes"));
    describeInput(
        *m_order, QStringLiteral("evaluation_mistake_order"), tr("Which mistakes come first"),
        tr("Surest: those whose wrong class the network calls most probable.\nLargest loss: those "
           "whose label it calls least probable."));
    m_order->addItem(tr("Surest"), static_cast<int>(MistakeOrder::Confident));
    m_order->addItem(tr("Largest loss"), static_cast<int>(MistakeOrder::Loss));
    new WheelGuard(m_order);
    columnIn(this, {}, 0, {m_cards});
    connect(m_order, &QComboBox::currentIndexChanged, this, &MistakesView::show);
    connect(m_cards, &PictureCards::currentChanged, this, [this](int card) {
        emit exampleWanted(m_shown[static_cast<std::size_t>(card)].example);
    });
}

void MistakesView::clear()
{
    m_pictures.clear();
    m_images.clear();
    show();
}

void MistakesView::setPicture(const EvaluationPicture& picture)
{
    m_images = picture.classified;
    m_names = picture.classNames;
    show();
}

void MistakesView::show()
{
    const ValueFormat percent{100.0, 1, tr(" %")};
    m_shown =
        worstMistakes(m_images, static_cast<MistakeOrder>(m_order->currentData().toInt()), kMost);
    std::vector<PictureCard> cards;
    for (const ClassifiedImage& image : m_shown) {
        const QString label = className(m_names, image.label);
        cards.push_back(
            {m_pictures.value(image.example),
             tr("taken for %1: %2")
                 .arg(
                     className(m_names, image.predicted),
                     numberText(static_cast<double>(image.probability), percent)),
             {tr("is %1: %2").arg(label, numberText(image.labelProbability(), percent)),
              tr("loss %1").arg(numberText(static_cast<double>(image.loss), {1.0, 2, {}})),
              tr("image %1").arg(countText(image.example))},
             {}});
    }
    m_cards->setCards(std::move(cards));
    askForImages();
}

void MistakesView::askForImages()
{
    std::vector<qint64> missing;
    for (const ClassifiedImage& image : m_shown) {
        if (!m_pictures.contains(image.example)) {
            missing.push_back(image.example);
        }
    }
    if (isVisible() && !missing.empty()) {
        emit imagesWanted(missing);
    }
}

void MistakesView::setImage(qint64 example, const QImage& image)
{
    m_pictures.insert(example, image);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        if (m_shown[i].example == example) {
            m_cards->setImage(static_cast<int>(i), image);
        }
    }
}

void MistakesView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askForImages();
}

ConfusionPanel::ConfusionPanel(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_shares(new QCheckBox(tr("Per cent"), this)),
      m_pages(new QStackedWidget(this)), m_matrix(new ConfusionView(this)),
      m_pairs(new QuietTable(
          QStringLiteral("evaluation_pairs"), tr("Classes that are confused"), this)),
      m_figures(new QuietTable(
          QStringLiteral("evaluation_figures"), tr("Recall and precision of each class"), this)),
      m_mistakes(new MistakesView(this)), m_trend(makeTrend(this)),
      m_message(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_caption(new NoteLabel(NoteLabel::Tone::Plain, this))
{
    m_matrix->setObjectName(QStringLiteral("evaluation_matrix"));
    m_caption->setObjectName(QStringLiteral("evaluation_top"));
    m_message->setObjectName(QStringLiteral("evaluation_no_images"));
    m_message->setAlignment(Qt::AlignCenter);
    listImages(*m_pairs, m_pairModel);
    makeFigures();
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
    showView(Matrix);
}

void ConfusionPanel::makeChoices()
{
    m_tabs->setObjectName(QStringLiteral("evaluation_views"));
    m_tabs->setAccessibleName(tr("What is shown of the evaluation"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // or the window would not fit narrow screens
    for (const auto& [title, toolTip] : std::initializer_list<std::pair<QString, QString>>{
             {tr("Matrix"),
              tr("Rows are the labels, columns the predictions. Blue is right, orange was taken "
                 "for something else;\nthe stronger the colour, the larger the share of the "
                 "label. A click on a cell lists its images; another one lists all again.")},
             {tr("Pairs"), tr("Labels, and what most of their images are taken for instead")},
             {tr("Classes"),
              tr("Recall, precision and F1 of each class. A click lists its images.")},
             {tr("Mistakes"), tr("The %1 images that the network is most wrong about")
                                  .arg(static_cast<qulonglong>(MistakesView::kMost))},
             {tr("Over time"), tr("Top-1 and top-5 of all evaluations of the run")}}) {
        m_tabs->setTabToolTip(m_tabs->addTab(title), toolTip);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, &ConfusionPanel::showView);
    m_shares->setObjectName(QStringLiteral("evaluation_shares"));
    m_shares->setToolTip(tr("Shares of the images of each label instead of counts: a row adds up "
                            "to 100 %, less what was taken for no class"));
    connect(m_shares, &QCheckBox::toggled, m_matrix, &ConfusionView::setShares);
}

void ConfusionPanel::makeFigures()
{
    m_figureOrder.setSourceModel(&m_figureModel);
    m_figureOrder.setSortRole(ValueRole);
    m_figureOrder.setSortLocaleAware(true);
    listImages(*m_figures, m_figureOrder);
    const QString widest = percents(1).text(1.0);
    auto* const bars = new BarDelegate(widest, this);
    QHeaderView* const header = m_figures->horizontalHeader();
    header->setResizeContentsPrecision(kMeasuredRows);
    // Bars have what room is left; the figures can always be read.
    header->setMinimumSectionSize(fontMetrics().horizontalAdvance(widest) + kFigureMargins);
    for (const int column :
         {ClassFiguresModel::Recall, ClassFiguresModel::Precision, ClassFiguresModel::F1}) {
        m_figures->setItemDelegateForColumn(column, bars);
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    header->setSortIndicator(ClassFiguresModel::Recall, Qt::AscendingOrder);
    m_figures->setSortingEnabled(true);
}

/// A row that a person chooses lists the images of its FilterRole.
void ConfusionPanel::listImages(QTableView& table, QAbstractItemModel& model)
{
    table.setModel(&model);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    // Not what becomes current: when the keyboard comes that is the first one, which nobody chose.
    connect(
        table.selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this](const QItemSelection& selected) {
            if (!selected.isEmpty()) {
                const QVariant filter = selected.indexes().first().data(FilterRole);
                emit filterWanted(filter.value<ClassFilter>());
            }
        });
}

/// Of many classes, and without images, why there is nothing.
void ConfusionPanel::showView(int view)
{
    const bool isWordy = view == Matrix && m_matrix->classes() == 0;
    const bool isEmpty = view != Matrix && view != Trend && !m_hasImages;
    m_pages->setCurrentIndex(isWordy || isEmpty ? static_cast<int>(Words) : view);
    m_shares->setVisible(view == Matrix && !isWordy);
    m_mistakes->order().setVisible(view == Mistakes && !isEmpty);
}

void ConfusionPanel::showMistakes()
{
    m_tabs->setCurrentIndex(Mistakes);
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
    const auto labels = classCounts(picture.confusion, picture.classNames.size());
    showMatrix(picture, labels);
    showPairs(picture, labels);
    showFigures(picture, labels);
    m_mistakes->setPicture(picture);
    showTrend(*m_trend, picture.evaluations);
    if (m_isManyClasses && !wasMany && m_tabs->currentIndex() == Matrix) {
        m_tabs->setCurrentIndex(Pairs);
    }
    showView(m_tabs->currentIndex());
}

void ConfusionPanel::showMatrix(
    const EvaluationPicture& picture, const std::vector<ClassCount>& labels)
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
    for (const ClassCount& label : labels) {
        totals.push_back(label.images);
    }
    m_matrix->setMatrix(std::move(counts), std::move(totals), picture.classNames);
}

void ConfusionPanel::showPairs(
    const EvaluationPicture& picture, const std::vector<ClassCount>& labels)
{
    std::vector<ConfusedPair> pairs;
    for (const ConfusionCell& cell : mostConfused(picture.confusion, kMostPairs)) {
        pairs.push_back(
            {cell.label, cell.predicted, cell.images,
             labels[static_cast<std::size_t>(cell.label)].images});
    }
    m_pairModel.setRows(std::move(pairs), picture.classNames);
}

void ConfusionPanel::showFigures(
    const EvaluationPicture& picture, const std::vector<ClassCount>& labels)
{
    std::vector<ClassFigures> figures;
    for (const ClassCount& of : m_hasImages ? labels : std::vector<ClassCount>()) {
        figures.push_back(
            {of.label, of.images, of.predicted, of.recall(), of.precision(), of.f1()});
    }
    m_figureModel.setRows(std::move(figures), picture.classNames);
}

void ConfusionPanel::setFilter(const ClassFilter& filter)
{
    const bool isCell = filter.label && filter.predicted;
    const auto isThere = [&](int number) { return number >= 0 && number < m_matrix->classes(); };
    m_matrix->setChosen(
        isCell && isThere(*filter.label) && isThere(*filter.predicted)
            ? std::optional(MatrixPlace{*filter.label, *filter.predicted})
            : std::nullopt);
    const auto listed = QVariant::fromValue(ClassFilter{filter.label, filter.predicted, false});
    for (QTableView* const table : {m_pairs, m_figures}) {
        const QSignalBlocker blocker(table->selectionModel());
        table->clearSelection();
        table->setCurrentIndex({});
        const QAbstractItemModel& model = *table->model();
        for (const QModelIndex& row :
             model.match(model.index(0, 0), FilterRole, listed, 1, Qt::MatchExactly)) {
            table->selectRow(row.row());
        }
        table->viewport()->update();
    }
}

} // namespace lockstep::ui
