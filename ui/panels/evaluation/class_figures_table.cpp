// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/class_figures_table.h"

#include "panels/shared/row_painting.h"

#include <QLocale>
#include <QSignalBlocker>

#include <vector>

namespace lockstep::ui {
namespace {

constexpr int kMeasuredRows = 100; ///< by which the widths of columns are measured
constexpr int kFigureMargins = 16;

} // namespace

ClassFiguresTable::ClassFiguresTable(QWidget* parent)
    : QuietTable(
        QStringLiteral("evaluation_figures"), tr("Recall and precision of each class"), parent)
{
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(ValueRole);
    m_order.setSortLocaleAware(true);
    setModel(&m_order);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAlternatingRowColors(true);
    const QString widest = percents(1).text(1.0);
    auto* const bars = new BarDelegate(widest, this);
    QHeaderView* const header = horizontalHeader();
    header->setResizeContentsPrecision(kMeasuredRows);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    // Bars have what room is left; the figures can always be read.
    header->setMinimumSectionSize(fontMetrics().horizontalAdvance(widest) + kFigureMargins);
    for (const int column :
         {ClassFiguresModel::Recall, ClassFiguresModel::Precision, ClassFiguresModel::F1}) {
        setItemDelegateForColumn(column, bars);
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    header->setSortIndicator(ClassFiguresModel::Recall, Qt::AscendingOrder);
    setSortingEnabled(true);
    // Not what becomes current: when the keyboard comes that is the first one, which nobody chose.
    connect(
        selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this](const QItemSelection& selected) {
            if (!selected.isEmpty()) {
                const QModelIndex row = m_order.mapToSource(selected.indexes().first());
                emit filterWanted({m_model.at(row.row()).label, std::nullopt, false});
            }
        });
}

void ClassFiguresTable::setPicture(const EvaluationPicture& picture)
{
    std::vector<ClassFigures> figures;
    if (!picture.classified.empty()) {
        for (const ClassCount& of : classCounts(picture.confusion, picture.classNames.size())) {
            figures.push_back(
                {of.label, of.images, of.predicted, of.recall(), of.precision(), of.f1()});
        }
    }
    const QSignalBlocker blocker(selectionModel());
    m_model.setFigures(std::move(figures), picture.classNames);
}

void ClassFiguresTable::setFilter(const ClassFilter& filter)
{
    const QSignalBlocker blocker(selectionModel());
    clearSelection();
    setCurrentIndex({});
    for (int row = 0; filter.label && !filter.predicted && row < m_model.rowCount(); ++row) {
        if (m_model.at(row).label == *filter.label) {
            selectRow(m_order.mapFromSource(m_model.index(row, 0)).row());
        }
    }
    viewport()->update();
}

} // namespace lockstep::ui
