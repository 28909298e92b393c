// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/detection_page.h"

#include "panels/evaluation/detection_chart.h"
#include "panels/evaluation/image_table.h"
#include "panels/shared/side_by_side.h"

#include <QHBoxLayout>

namespace lockstep::ui {
namespace {

std::vector<ImageScoreRow> rowsOf(const std::vector<ImageScore>& images)
{
    std::vector<ImageScoreRow> rows;
    rows.reserve(images.size());
    for (const ImageScore& image : images) {
        rows.push_back(
            {image.example, QString::fromStdString(image.name), image.isPositive, image.score,
             image.loss, image.peak, image.isPeakInside});
    }
    return rows;
}

} // namespace

DetectionPage::DetectionPage(QWidget* parent)
    : EvaluationPage(parent), m_table(new ImageTable(this)), m_chart(new DetectionChart(this))
{
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(sideBySide({{m_table, 430}, {m_chart, 350}}));
    connect(m_chart, &DetectionChart::thresholdChanged, m_table, &ImageTable::setThreshold);
    connect(m_table, &ImageTable::chosen, this, &DetectionPage::exampleWanted);
}

void DetectionPage::setPicture(const EvaluationPicture& picture, const QString& text)
{
    m_chart->setEmptyText(text);
    m_table->setRows(rowsOf(picture.images));
    m_chart->setPicture(picture);
}

void DetectionPage::deselect()
{
    m_table->deselect();
}

QWidget& DetectionPage::filters()
{
    return m_table->filters();
}

} // namespace lockstep::ui
