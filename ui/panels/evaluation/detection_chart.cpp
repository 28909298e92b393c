// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/detection_chart.h"

#include "panels/evaluation/evaluation_text.h"
#include "panels/shared/layouts.h"
#include "plots/axes/number_text.h"
#include "plots/cards/precision_recall_plot.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/wheel_guard.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

DetectionChart::DetectionChart(QWidget* parent)
    : QWidget(parent), m_plot(new PrecisionRecallPlot(this)),
      m_slider(new QSlider(Qt::Horizontal, this)), m_value(new QLabel(this)),
      m_counts(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_definition(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_plot->setObjectName(QStringLiteral("precision_recall"));
    m_counts->setObjectName(QStringLiteral("evaluation_counts"));
    m_definition->setObjectName(QStringLiteral("evaluation_definition"));
    m_slider->setObjectName(QStringLiteral("evaluation_threshold"));
    m_slider->setAccessibleName(tr("Threshold"));
    m_slider->setToolTip(
        tr("Images with a score of at least this are called defective;\neach step is the next "
           "score that occurs"));
    new WheelGuard(m_slider);
    connect(m_slider, &QSlider::valueChanged, this, [this](int place) {
        choose(static_cast<std::size_t>(m_slider->maximum() - place));
    });
    columnIn(this, {}, 3, {{m_plot, 1}, rowOf({m_value, {m_slider, 1}}), m_counts, m_definition});
    connect(m_plot, &PrecisionRecallPlot::chosenChanged, this, &DetectionChart::choose);
    setPicture({});
}

void DetectionChart::setEmptyText(const QString& text)
{
    m_plot->setEmptyText(text);
}

void DetectionChart::setPicture(const EvaluationPicture& picture)
{
    m_curve = picture.curve;
    m_images = std::ssize(picture.images);
    const bool isThere = !m_curve.empty();
    std::vector<RecallPoint> points;
    for (const PrecisionRecallPoint& point : m_curve) {
        points.push_back({point.threshold, point.recall(), point.precision()});
    }
    const DetectionScores& scores = picture.detection;
    PrecisionRecallPlot::Marks marks;
    if (isThere) {
        marks = {numberOf(scores.best.threshold), numberOf(scores.fullRecall.threshold)};
    } else {
        m_wanted.reset();
    }
    m_plot->setPoints(std::move(points), marks, isThere ? detectionCaption(scores) : QString());
    m_definition->setNote(isThere ? averagePrecisionText() : QString());
    m_definition->setToolTip(averagePrecisionHelp());
    m_slider->setVisible(isThere);
    m_value->setVisible(isThere);
    {
        const QSignalBlocker blocker(m_slider);
        m_slider->setRange(0, isThere ? static_cast<int>(m_curve.size()) - 1 : 0);
    }
    if (isThere) {
        show(m_wanted ? numberOf(*m_wanted) : marks.best);
    } else {
        m_counts->setNote({});
    }
}

/// The point whose threshold is closest.
std::size_t DetectionChart::numberOf(double threshold) const
{
    const auto distance = [threshold](const PrecisionRecallPoint& point) {
        return std::abs(point.threshold - threshold);
    };
    return static_cast<std::size_t>(
        std::ranges::min_element(m_curve, {}, distance) - m_curve.begin());
}

void DetectionChart::choose(std::size_t number)
{
    m_wanted = m_curve[number].threshold;
    show(number);
}

void DetectionChart::show(std::size_t number)
{
    const PrecisionRecallPoint& point = m_curve[number];
    m_threshold = point.threshold;
    {
        const QSignalBlocker blocker(m_slider);
        // The points run from the highest threshold down, the slider upwards.
        m_slider->setValue(m_slider->maximum() - static_cast<int>(number));
    }
    m_plot->setChosen(number);
    m_value->setText(tr("Threshold %1").arg(numberText(point.threshold, {1.0, 4, {}})));
    m_counts->setNote(countsText(point, m_images));
    emit thresholdChanged(m_threshold);
}

} // namespace lockstep::ui
