// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/class_table.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/wheel_guard.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

/// The first items of the filter of predictions; labels come after them.
enum Prediction { Any, Wrong };
/// Of a filter; the list that opens is as wide as its names.
constexpr int kMostWidth = 180;

} // namespace

ClassTable::ClassTable(QWidget* parent)
    : ExampleTable(QStringLiteral("evaluation_classified"), tr("Images of the evaluation"), parent),
      m_order(m_model, ClassImageModel::Loss), m_filters(new QWidget(this)),
      m_label(makeFilter(QStringLiteral("evaluation_label"), tr("Label of the images listed"))),
      m_predicted(makeFilter(
          QStringLiteral("evaluation_prediction"), tr("What the images listed were taken for")))
{
    setOrder(m_order, ClassImageModel::Loss, ClassImageModel::Prediction);
    auto* const row = new QHBoxLayout(m_filters);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_label);
    row->addWidget(m_predicted);
    fillFilters();
}

QComboBox* ClassTable::makeFilter(const QString& name, const QString& meaning)
{
    auto* const box = new QComboBox(m_filters);
    box->setObjectName(name);
    box->setAccessibleName(meaning);
    box->setToolTip(meaning);
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

} // namespace lockstep::ui
