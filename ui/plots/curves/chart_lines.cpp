// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/chart_lines.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QPainter>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

namespace lockstep::ui {

class ChartLines::Private
{
public:
    Private()
    {
        scene.setItemIndexMethod(QGraphicsScene::NoIndex);
        scene.addItem(chart);
        chart->setBackgroundVisible(false);
        chart->setAnimationOptions(QChart::NoAnimation);
        chart->legend()->hide();
        chart->setMargins({});
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        chart->addAxis(xAxis, Qt::AlignBottom);
        chart->addAxis(yAxis, Qt::AlignLeft);
        xAxis->setVisible(false);
        yAxis->setVisible(false);
        yAxis->setReverse(true);
    }

    void setCount(std::size_t count)
    {
        while (series.size() < count) {
            auto* const line = series.emplace_back(new QLineSeries);
            chart->addSeries(line);
            line->attachAxis(xAxis);
            line->attachAxis(yAxis);
        }
        while (series.size() > count) {
            chart->removeSeries(series.back());
            delete series.back();
            series.pop_back();
        }
    }

    QGraphicsScene scene;
    QChart* chart = new QChart;
    QValueAxis* xAxis = new QValueAxis;
    QValueAxis* yAxis = new QValueAxis;
    std::vector<QLineSeries*> series;
};

ChartLines::ChartLines() : m_private(std::make_unique<Private>()) {}

ChartLines::~ChartLines() = default;

void ChartLines::paint(QPainter& painter, const std::vector<ChartLine>& lines, const QRectF& area)
{
    const QRectF inner(QPointF(), area.size());
    if (QChart* const chart = m_private->chart; chart->size() != area.size()) {
        // Else each would be rebuilt for the new size with the points of the old one.
        m_private->setCount(0);
        m_private->scene.setSceneRect(inner);
        chart->resize(area.size());
        chart->setPlotArea(inner);
        m_private->xAxis->setRange(0.0, area.width());
        m_private->yAxis->setRange(0.0, area.height());
        chart->layout()->activate();
    }
    m_private->setCount(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QLineSeries* series = m_private->series[i];
        if (series->pen() != lines[i].pen) {
            series->setPen(lines[i].pen);
        }
        series->replace(lines[i].points);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    m_private->scene.render(&painter, area, inner);
    painter.restore();
}

} // namespace lockstep::ui
