// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/class_page.h"

#include "panels/evaluation/class_table.h"
#include "panels/evaluation/confusion_panel.h"
#include "panels/evaluation/example_table.h"

#include <QHBoxLayout>
#include <QSplitter>

#include <array>

namespace lockstep::ui {
namespace {

constexpr std::array kClassWidths{430, 400};

std::vector<ClassImageRow> rowsOf(const std::vector<ClassifiedImage>& images)
{
    std::vector<ClassImageRow> rows;
    rows.reserve(images.size());
    for (const ClassifiedImage& image : images) {
        rows.push_back(
            {image.example, image.label, image.predicted, static_cast<double>(image.probability),
             image.labelProbability(), static_cast<double>(image.loss)});
    }
    return rows;
}

} // namespace

ClassPage::ClassPage(QWidget* parent)
    : QWidget(parent), m_table(new ClassTable(this)), m_confusion(new ConfusionPanel(this))
{
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_table);
    parts->addWidget(m_confusion);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(8);
    parts->setSizes({kClassWidths.begin(), kClassWidths.end()});
    for (int i = 0; i < parts->count(); ++i) {
        parts->setStretchFactor(i, kClassWidths[static_cast<std::size_t>(i)]);
    }
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    connect(m_table, &ClassTable::chosen, this, &ClassPage::exampleWanted);
    connect(m_table, &ClassTable::filterChanged, this, [this] {
        m_confusion->setFilter(m_table->filter());
    });
    connect(m_confusion, &ConfusionPanel::filterWanted, this, [this](const ClassFilter& filter) {
        m_table->setFilter(filter);
        m_confusion->setFilter(filter);
    });
}

void ClassPage::clear()
{
    m_table->clear();
    m_confusion->setFilter({});
}

void ClassPage::setPicture(const EvaluationPicture& picture, const QString& text)
{
    m_table->setRows(rowsOf(picture.classified), picture.classNames);
    m_confusion->setPicture(picture, text);
    m_confusion->setFilter(m_table->filter());
}

void ClassPage::addChoices(QWidget* choices)
{
    m_table->addChoices(choices);
}

void ClassPage::deselect()
{
    m_table->table().deselect();
}

} // namespace lockstep::ui
