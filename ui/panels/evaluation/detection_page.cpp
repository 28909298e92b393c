// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/detection_page.h"

#include "panels/evaluation/detection_chart.h"
#include "panels/evaluation/example_table.h"
#include "panels/evaluation/image_table.h"

#include <QHBoxLayout>
#include <QSplitter>

#include <array>

namespace lockstep::ui {
namespace {

constexpr std::array kDetectionWidths{430, 350};

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
    : QWidget(parent), m_table(new ImageTable(this)), m_chart(new DetectionChart(this))
{
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_table);
    parts->addWidget(m_chart);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(8);
    parts->setSizes({kDetectionWidths.begin(), kDetectionWidths.end()});
    for (int i = 0; i < parts->count(); ++i) {
        parts->setStretchFactor(i, kDetectionWidths[static_cast<std::size_t>(i)]);
    }
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    connect(m_chart, &DetectionChart::thresholdChanged, m_table, &ImageTable::setThreshold);
    connect(m_table, &ImageTable::chosen, this, &DetectionPage::exampleWanted);
}

void DetectionPage::setPicture(const EvaluationPicture& picture, const QString& text)
{
    m_chart->setEmptyText(text);
    m_table->setRows(rowsOf(picture.images));
    m_chart->setPicture(picture);
}

void DetectionPage::addChoices(QWidget* choices)
{
    m_table->addChoices(choices);
}

void DetectionPage::deselect()
{
    m_table->table().deselect();
}

} // namespace lockstep::ui
