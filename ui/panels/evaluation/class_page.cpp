// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/class_page.h"

#include "panels/evaluation/class_table.h"
#include "panels/evaluation/confusion_panel.h"
#include "panels/shared/side_by_side.h"

#include <QHBoxLayout>

namespace lockstep::ui {
namespace {

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
    : EvaluationPage(parent), m_table(new ClassTable(this)), m_confusion(new ConfusionPanel(this))
{
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(sideBySide({{m_table, 430}, {m_confusion, 400}}));
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

void ClassPage::deselect()
{
    m_table->deselect();
}

QWidget& ClassPage::filters()
{
    return m_table->filters();
}

} // namespace lockstep::ui
