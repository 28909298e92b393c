// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/image_table.h"

#include "plots/number_text.h"
#include "widgets/note_label.h"
#include "widgets/quiet_table.h"
#include "widgets/wheel_guard.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::array kWrong{Verdict::FalsePositive, Verdict::FalseNegative};

/// What is called wrong stands out; by its words, too.
class VerdictDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(WarningRole).toBool()) {
            option->palette.setColor(QPalette::Text, alertTextColor(option->palette));
            option->font.setBold(true);
        }
    }
};

} // namespace

ImageTable::ImageTable(QWidget* parent)
    : QWidget(parent),
      m_table(new QuietTable(
          QStringLiteral("evaluation_images"), tr("Images of the evaluation"), this)),
      m_filter(new QComboBox(this)), m_choices(new QHBoxLayout)
{
    makeTable();
    makeFilter();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_choices->addWidget(m_filter);
    m_choices->addStretch(1);
    layout->addLayout(m_choices);
    layout->addWidget(m_table, 1);
}

void ImageTable::addChoice(QComboBox* choice)
{
    m_choices->insertWidget(m_choices->indexOf(m_filter), choice);
}

void ImageTable::makeTable()
{
    m_order.setSourceModel(&m_model);
    m_table->setModel(&m_order);
    m_table->setItemDelegateForColumn(ImageScoreModel::Called, new VerdictDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(0); // a test set may have thousands
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSortIndicator(ImageScoreModel::Loss, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &ImageTable::choose);
    m_table->viewport()->installEventFilter(this);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.row() == m_rowAtPress) { // once more; another row was chosen at the press
            choose(index);
        }
    });
}

void ImageTable::makeFilter()
{
    m_filter->setObjectName(QStringLiteral("evaluation_filter"));
    m_filter->setAccessibleName(tr("Which images are listed"));
    m_filter->setToolTip(tr("Which images are listed; right and wrong are so at the threshold"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->addItem(tr("All images"));
    m_filter->addItem(tr("False positives"), static_cast<int>(Verdict::FalsePositive));
    m_filter->addItem(tr("False negatives"), static_cast<int>(Verdict::FalseNegative));
    new WheelGuard(m_filter);
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        const QVariant verdict = m_filter->currentData();
        keepSelected([&] {
            m_order.setVerdict(
                verdict.isValid() ? std::optional(static_cast<Verdict>(verdict.toInt()))
                                  : std::nullopt);
        });
    });
    showCount();
}

void ImageTable::setRows(std::vector<ImageScoreRow> rows)
{
    keepSelected([&] { m_model.setRows(std::move(rows)); });
    showCount();
}

void ImageTable::setThreshold(double threshold)
{
    keepSelected([&] { m_model.setThreshold(threshold); });
    showCount();
}

/// Qt makes another row current when the current one goes: nobody asked for that.
void ImageTable::keepSelected(const std::function<void()>& change)
{
    const auto kept = selected();
    m_isChanging = true;
    change();
    m_isChanging = false;
    select(kept);
}

/// How many there are of each kind.
void ImageTable::showCount()
{
    const auto& rows = m_model.rows();
    m_filter->setItemText(0, tr("All images (%1)").arg(countText(std::ssize(rows))));
    const std::array texts{tr("False positives (%1)"), tr("False negatives (%1)")};
    for (std::size_t i = 0; i < kWrong.size(); ++i) {
        const auto count = std::ranges::count_if(rows, [&](const ImageScoreRow& row) {
            return verdictOf(row, m_model.threshold()) == kWrong[i];
        });
        m_filter->setItemText(static_cast<int>(i) + 1, texts[i].arg(countText(count)));
    }
}

std::optional<qint64> ImageTable::selected() const
{
    const QModelIndex current = m_order.mapToSource(m_table->currentIndex());
    if (!current.isValid() || !m_table->selectionModel()->hasSelection()) {
        return std::nullopt;
    }
    return m_model.rows()[static_cast<std::size_t>(current.row())].example;
}

void ImageTable::clearSelection()
{
    const QSignalBlocker blocker(m_table->selectionModel());
    m_table->selectionModel()->clear();
    m_table->viewport()->update();
}

/// The view has not seen it yet.
bool ImageTable::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        m_rowAtPress = m_table->currentIndex().row();
    }
    return QWidget::eventFilter(watched, event);
}

void ImageTable::choose(const QModelIndex& index)
{
    const QModelIndex current = m_order.mapToSource(index);
    if (current.isValid() && !m_isChanging) {
        emit chosen(m_model.rows()[static_cast<std::size_t>(current.row())].example);
    }
}

/// Nothing where the image is not listed.
void ImageTable::select(std::optional<qint64> example)
{
    const auto& rows = m_model.rows();
    const auto found = std::ranges::find(rows, example, &ImageScoreRow::example);
    const auto row = static_cast<int>(found - rows.begin()); // the model has none of that past them
    const QModelIndex index = m_order.mapFromSource(m_model.index(row, 0));
    if (!index.isValid()) {
        clearSelection();
        return;
    }
    const QSignalBlocker blocker(m_table->selectionModel());
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

} // namespace lockstep::ui
