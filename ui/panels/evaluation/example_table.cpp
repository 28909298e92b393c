// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/example_table.h"

#include "models/table_model.h"
#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/value_editors.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

/// The first items of the filter of predictions; labels come after them.
enum Prediction { Any, Wrong };
/// Of a filter; the list that opens is as wide as its names.
constexpr int kMostWidth = 180;

constexpr std::array kWrong{Verdict::FalsePositive, Verdict::FalseNegative};

} // namespace

void ExampleTable::setOrder(QSortFilterProxyModel& model, int sortedColumn, int warningColumn)
{
    setModel(&model);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(true);
    QHeaderView* const header = horizontalHeader();
    header->setResizeContentsPrecision(0); // a test set may have thousands
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSortIndicator(sortedColumn, Qt::DescendingOrder);
    setSortingEnabled(true);
    setItemDelegateForColumn(warningColumn, new WarningDelegate(this));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ExampleTable::choose);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.row() == m_rowAtPress) { // once more; another row was chosen at the press
            choose(index);
        }
    });
}

/// Silences the choice meanwhile: Qt makes another row current when the current one is removed.
void ExampleTable::change(const std::function<void()>& rows)
{
    const auto kept = selected();
    m_isChanging = true;
    rows();
    m_isChanging = false;
    select(kept);
}

std::optional<qint64> ExampleTable::selected() const
{
    if (!currentIndex().isValid() || !selectionModel()->hasSelection()) {
        return std::nullopt;
    }
    return currentIndex().data(ExampleRole).toLongLong();
}

void ExampleTable::deselect()
{
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->clear();
    viewport()->update();
}

/// Qt makes the first row current when the keyboard comes: nobody chose it. The first key that
/// moves does.
void ExampleTable::focusInEvent(QFocusEvent* event)
{
    const bool hadCurrent = currentIndex().isValid();
    m_isChanging = true;
    QuietTable::focusInEvent(event);
    m_isChanging = false;
    if (!hadCurrent) {
        deselect();
    }
}

void ExampleTable::mousePressEvent(QMouseEvent* event)
{
    m_rowAtPress = currentIndex().row();
    QuietTable::mousePressEvent(event);
}

void ExampleTable::choose(const QModelIndex& index)
{
    if (index.isValid() && !m_isChanging) {
        emit chosen(index.data(ExampleRole).toLongLong());
    }
}

/// Nothing where the image is not listed.
void ExampleTable::select(std::optional<qint64> example)
{
    const QModelIndexList found =
        example ? model()->match(model()->index(0, 0), ExampleRole, *example, 1, Qt::MatchExactly)
                : QModelIndexList();
    if (found.isEmpty()) {
        deselect();
        return;
    }
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->setCurrentIndex(
        found.front(), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

ClassTable::ClassTable(QWidget* parent)
    : ExampleTable(QStringLiteral("evaluation_classified"), tr("Images of the evaluation"), parent),
      m_order(m_model, ClassImageModel::Loss), m_filters(new QWidget(this)),
      m_label(makeFilter(QStringLiteral("evaluation_label"), tr("Label of the images listed"))),
      m_predicted(makeFilter(
          QStringLiteral("evaluation_prediction"), tr("What the images listed were taken for")))
{
    setOrder(m_order, ClassImageModel::Loss, ClassImageModel::Prediction);
    rowIn(m_filters, {}, kUsualSpacing, {m_label, m_predicted});
    fillFilters();
}

QComboBox* ClassTable::makeFilter(const QString& name, const QString& meaning)
{
    auto* const box = new QComboBox(m_filters);
    describeInput(*box, name, meaning, meaning);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMaximumWidth(kMostWidth);
    new WheelGuard(box);
    connect(box, &QComboBox::activated, this, &ClassTable::takeFilters);
    return box;
}

void ClassTable::clear()
{
    change([this] {
        m_order.setFilter({});
        m_model.setRows({}, {});
    });
    fillFilters();
    showFilter();
}

void ClassTable::setRows(std::vector<ClassImageRow> rows, const QStringList& names)
{
    const QStringList classes = names.isEmpty() ? m_model.names() : names;
    const ClassFilter& filter = m_order.filter();
    const bool isThere =
        std::max(filter.label.value_or(-1), filter.predicted.value_or(-1)) < classes.size();
    const bool areSame = classes == m_model.names();
    change([&] {
        if (!isThere) {
            m_order.setFilter({});
        }
        m_model.setRows(std::move(rows), classes);
    });
    if (!areSame) {
        fillFilters();
    }
    showFilter();
}

void ClassTable::fillFilters()
{
    m_label->clear();
    m_label->addItem(tr("All labels"));
    m_predicted->clear();
    m_predicted->addItem(tr("All predictions"));
    m_predicted->addItem(tr("Wrong ones"));
    m_label->addItems(m_model.names());
    m_predicted->addItems(m_model.names());
}

void ClassTable::setFilter(const ClassFilter& filter)
{
    change([&] { m_order.setFilter(filter); });
    showFilter();
}

/// What the two boxes say.
void ClassTable::takeFilters()
{
    ClassFilter filter;
    if (m_label->currentIndex() > 0) {
        filter.label = m_label->currentIndex() - 1;
    }
    filter.isWrongOnly = m_predicted->currentIndex() == Wrong;
    if (m_predicted->currentIndex() > Wrong) {
        filter.predicted = m_predicted->currentIndex() - Wrong - 1;
    }
    setFilter(filter);
    emit filterChanged();
}

void ClassTable::showFilter()
{
    const ClassFilter& filter = m_order.filter();
    m_label->setCurrentIndex(filter.label ? *filter.label + 1 : 0);
    m_predicted->setCurrentIndex(
        filter.predicted ? *filter.predicted + Wrong + 1 : (filter.isWrongOnly ? Wrong : Any));
    setToolTip(
        tr("%1 of %2 images").arg(countText(m_order.rowCount()), countText(m_model.rowCount())));
}

ImageTable::ImageTable(QWidget* parent)
    : ExampleTable(QStringLiteral("evaluation_images"), tr("Images of the evaluation"), parent),
      m_order(m_model, ImageScoreModel::Loss), m_filter(new QComboBox(this))
{
    setOrder(m_order, ImageScoreModel::Loss, ImageScoreModel::Called);
    describeInput(
        *m_filter, QStringLiteral("evaluation_filter"), tr("Which images are listed"),
        tr("Which images are listed; what is right and wrong depends on the threshold"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->addItem(tr("All images"));
    m_filter->addItem(tr("False positives"), static_cast<int>(Verdict::FalsePositive));
    m_filter->addItem(tr("False negatives"), static_cast<int>(Verdict::FalseNegative));
    new WheelGuard(m_filter);
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        const QVariant verdict = m_filter->currentData();
        change([&] {
            m_order.setFilter(
                {&m_model, verdict.isValid() ? std::optional(static_cast<Verdict>(verdict.toInt()))
                                             : std::nullopt});
        });
    });
    showCount();
}

void ImageTable::setRows(std::vector<ImageScoreRow> rows)
{
    change([&] { m_model.setRows(std::move(rows)); });
    showCount();
}

void ImageTable::setThreshold(double threshold)
{
    change([&] { m_model.setThreshold(threshold); });
    showCount();
}

/// How many there are of each kind.
void ImageTable::showCount()
{
    const auto& rows = m_model.rows();
    m_filter->setItemText(0, tr("All images (%1)").arg(countText(std::ssize(rows))));
    const std::array texts{tr("False positives (%1)"), tr("False negatives (%1)")};
    for (std::size_t i = 0; i < kWrong.size(); ++i) {
        const auto count = std::ranges::count_if(
            rows, [&](const ImageScoreRow& row) { return m_model.verdict(row) == kWrong[i]; });
        m_filter->setItemText(static_cast<int>(i) + 1, texts[i].arg(countText(count)));
    }
}

} // namespace lockstep::ui
