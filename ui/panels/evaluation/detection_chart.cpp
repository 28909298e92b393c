// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/detection_chart.h"

#include "plots/axes/number_text.h"
#include "plots/cards/precision_recall_plot.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

const ValueFormat kScore{1.0, 4, {}};
const ValueFormat kShare{1.0, 2, {}};

/// "AP 0.9531 · best F1 0.9412 · full recall with 3 false positives".
QString detectionCaption(const DetectionScores& scores)
{
    const std::int64_t wrong = scores.fullRecall.falsePositives;
    const QString full =
        wrong == 1
            ? DetectionChart::tr("full recall with 1 false positive")
            : DetectionChart::tr("full recall with %1 false positives").arg(countText(wrong));
    return DetectionChart::tr("AP %1 · best F1 %2 · %3")
        .arg(
            numberText(scores.averagePrecision, kScore), numberText(scores.best.f1(), kScore),
            full);
}

/// How many of so many images are called right and wrong at a point.
QString countsText(const PrecisionRecallPoint& point, std::int64_t images)
{
    const std::int64_t trueNegatives =
        images - point.truePositives - point.falsePositives - point.falseNegatives;
    return DetectionChart::tr("TP %1 · FP %2 · FN %3 · TN %4 · precision %5, recall %6, F1 %7")
        .arg(
            countText(point.truePositives), countText(point.falsePositives),
            countText(point.falseNegatives), countText(trueNegatives))
        .arg(
            numberText(point.precision(), kShare), numberText(point.recall(), kShare),
            numberText(point.f1(), kShare));
}

} // namespace

DetectionChart::DetectionChart(QWidget* parent)
    : QWidget(parent), m_plot(new PrecisionRecallPlot(this)),
      m_slider(new QSlider(Qt::Horizontal, this)), m_value(new QLabel(this)),
      m_counts(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_definition(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_plot->setObjectName(QStringLiteral("precision_recall"));
    m_counts->setObjectName(QStringLiteral("evaluation_counts"));
    m_definition->setObjectName(QStringLiteral("evaluation_definition"));
    m_definition->setToolTip(
        tr("Average precision: the sum over all thresholds of the gain in recall times the "
           "precision.\nImages of one score count together."));
    describeInput(
        *m_slider, QStringLiteral("evaluation_threshold"), tr("Threshold"),
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

void DetectionChart::setPicture(const EvaluationPicture& picture, const QString& emptyText)
{
    m_plot->setEmptyText(emptyText);
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
    m_definition->setNote(
        isThere ? tr("AP = Σ (Rₙ − Rₙ₋₁) · Pₙ, step-wise, without interpolation") : QString());
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
    {
        const QSignalBlocker blocker(m_slider);
        // The points run from the highest threshold down, the slider upwards.
        m_slider->setValue(m_slider->maximum() - static_cast<int>(number));
    }
    m_plot->setChosen(number);
    m_value->setText(tr("Threshold %1").arg(numberText(point.threshold, kScore)));
    m_counts->setNote(countsText(point, m_images));
    emit thresholdChanged(point.threshold);
}

} // namespace lockstep::ui
