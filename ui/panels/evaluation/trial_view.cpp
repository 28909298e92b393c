// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/trial_view.h"

#include "bridge/base/file_names.h"
#include "bridge/preview/input_picture.h"
#include "panels/evaluation/evaluation_text.h"
#include "widgets/forms/note_label.h"
#include "widgets/pictures/class_answer.h"
#include "widgets/pictures/mask_view.h"

#include <QFileDialog>
#include <QPushButton>
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
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_try(new QPushButton(tr("Try an Image…"), this))
{
    m_answers->addWidget(m_view);
    m_answers->addWidget(m_classes);
    m_classes->setObjectName(QStringLiteral("evaluation_classes"));
    m_view->setObjectName(QStringLiteral("evaluation_mask"));
    m_text->setObjectName(QStringLiteral("evaluation_trial"));
    m_problem->setObjectName(QStringLiteral("evaluation_problem"));
    m_try->setObjectName(QStringLiteral("evaluation_try"));
    m_try->setToolTip(tr(
        "Asks the network about a JPEG, PNG or BMP of your own, which can also be dropped here"));
    connect(m_try, &QPushButton::clicked, this, &TrialView::chooseImage);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_try, 0, Qt::AlignRight);
    layout->addWidget(m_answers, 1);
    layout->addWidget(m_text);
    layout->addWidget(m_problem);
}

void TrialView::clear(const QString& text, bool canTry)
{
    m_view->setPicture({});
    m_classes->setAnswer({}, {});
    m_text->setNote(text);
    m_problem->setNote({});
    m_try->setEnabled(canTry);
}

void TrialView::setBusy()
{
    m_text->setNote(tr("Asking the network…"));
    m_problem->setNote({});
}

void TrialView::setAnswer(const TrialAnswer& answer, const TrialRequest& request)
{
    m_problem->setNote(answer.problem);
    if (!answer.problem.isEmpty()) {
        m_view->setPicture({});
        m_classes->setAnswer({}, {});
        m_text->setNote({});
        return;
    }
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

/// The window stays alive meanwhile, and so does a run.
void TrialView::chooseImage()
{
    auto* const dialog = new QFileDialog(window(), tr("Try an Image"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Images (*.jpg *.jpeg *.png *.bmp);;All files (*)"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) {
        emit fileWanted(toPath(name));
    });
    dialog->open();
}

} // namespace lockstep::ui
