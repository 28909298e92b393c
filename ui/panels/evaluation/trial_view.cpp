// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/trial_view.h"

#include "bridge/preview/input_picture.h"
#include "panels/evaluation/evaluation_text.h"
#include "widgets/forms/note_label.h"
#include "widgets/pictures/class_answer.h"
#include "widgets/pictures/mask_view.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace lockstep::ui {
namespace {

constexpr PixelValues kUnit{0.0F, 1.0F}; // of what was tried

MaskPicture maskPicture(const PredictedImage& tried)
{
    return {
        inputPicture(tried.input, tried.inputShape, kUnit), tried.label, tried.probabilities,
        static_cast<int>(tried.maskShape.height), static_cast<int>(tried.maskShape.width)};
}

} // namespace

TrialView::TrialView(QWidget* parent)
    : QWidget(parent), m_answers(new QStackedWidget(this)), m_view(new MaskView(this)),
      m_classes(new ClassAnswer(this)), m_text(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this))
{
    m_answers->addWidget(m_view);
    m_answers->addWidget(m_classes);
    m_classes->setObjectName(QStringLiteral("evaluation_classes"));
    m_view->setObjectName(QStringLiteral("evaluation_mask"));
    m_text->setObjectName(QStringLiteral("evaluation_trial"));
    m_problem->setObjectName(QStringLiteral("evaluation_problem"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_answers, 1);
    layout->addWidget(m_text);
    layout->addWidget(m_problem);
}

void TrialView::clear(const QString& text)
{
    m_view->setPicture({});
    m_classes->setAnswer({}, {});
    m_text->setNote(text);
    m_problem->setNote({});
}

void TrialView::setBusy()
{
    m_text->setNote(tr("Asking the network…"));
    m_problem->setNote({});
}

void TrialView::setAnswer(const TrialAnswer& answer, const TrialRequest& request)
{
    if (!answer.problem.isEmpty()) {
        clear({});
        m_problem->setNote(answer.problem);
        return;
    }
    m_problem->setNote({});
    if (answer.tried.classProbabilities.empty()) {
        showMask(answer.tried);
    } else {
        showClasses(answer.tried);
    }
    m_text->setNote(trialText(answer, request));
}

void TrialView::showMask(const PredictedImage& tried)
{
    using Layer = MaskView::Layer;
    m_view->setLayers(
        tried.hasLabel ? std::vector{Layer::Input, Layer::Label, Layer::Prediction, Layer::Overlay}
                       : std::vector{Layer::Input, Layer::Prediction, Layer::Overlay});
    m_view->setPicture(maskPicture(tried));
    m_answers->setCurrentWidget(m_view);
}

void TrialView::showClasses(const PredictedImage& tried)
{
    std::vector<ClassBar> bars;
    for (const ClassProbability& of : likeliestClasses(tried, kTopFive)) {
        bars.push_back(
            {QString::fromStdString(of.name), of.probability,
             tried.hasLabel && of.number == tried.classLabel});
    }
    m_classes->setAnswer(inputPicture(tried.input, tried.inputShape, kUnit), std::move(bars));
    m_answers->setCurrentWidget(m_classes);
}

} // namespace lockstep::ui
