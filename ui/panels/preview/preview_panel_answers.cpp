// SPDX-License-Identifier: GPL-3.0-or-later
// How the panel shows what was made.
#include "engine/data.h"
#include "panels/preview/balance_page.h"
#include "panels/preview/preview_panel.h"
#include "panels/preview/preview_parts.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/note_label.h"
#include "widgets/pictures/image_grid.h"

#include <QStackedWidget>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

QString joined(QStringList parts, const PreviewBatch& batch)
{
    if (batch.isStretched) {
        parts << PreviewPanel::tr("standardised: shown stretched");
    }
    return parts.join(QStringLiteral(" · "));
}

/// How standardised images are made visible; empty where others are shown.
QString stretchText(const PreviewBatch& batch)
{
    return batch.isStretched ? PreviewPanel::tr(
               "Standardised values have no fixed black and white: each image is shown "
               "from its darkest to its brightest value.")
                             : QString();
}

/// Above the images of a step: "Step 12: what each tower gets · seed 3"; that
/// standardised images are stretched is said, too. `isDone`: the step was trained already.
QString stepText(const PreviewBatch& batch, std::int64_t step, std::uint64_t seed, bool isDone)
{
    const QString number = countText(step);
    const QString what = isDone ? PreviewPanel::tr("Step %1: what each tower got").arg(number)
                         : step == 0
                             ? PreviewPanel::tr("First step: what each tower will get")
                             : PreviewPanel::tr("Step %1: what each tower will get").arg(number);
    return joined({what, PreviewPanel::tr("seed %1").arg(seed)}, batch);
}

/// Above images of the test set: which ones, and what is done to them.
QString evaluationText(const PreviewBatch& batch)
{
    const auto first = static_cast<qint64>(batch.position);
    const qint64 last = first + std::ssize(batch.images) - 1;
    const QString which = PreviewPanel::tr("What evaluations see: examples %1 to %2 of %3")
                              .arg(countText(first), countText(last), countText(batch.examples));
    const QString how = batch.isWhole ? PreviewPanel::tr("the whole image, resized")
                                      : PreviewPanel::tr("the middle of each image, not distorted");
    return joined({which, how}, batch);
}

ImageTile tileOf(const PreviewImage& image)
{
    const QString label = PreviewPanel::tr("%1 · %2", "label, name of the class")
                              .arg(image.label)
                              .arg(image.className);
    const auto number = static_cast<qint64>(image.visit.example);
    const bool isNamed = image.name != QString::number(number);
    return {image.image, label,           image.tower,
            number,      image.batchText, isNamed ? image.name : QString()};
}

} // namespace

void PreviewPanel::studyTile(int index)
{
    const PreviewImage& image = m_shown.images[static_cast<std::size_t>(index)];
    m_study = StudyRequest{m_config, m_shown.split, image.visit, kFurtherDraws};
    m_grid->setMarked(image.visit.example);
    m_preview.request(*m_study);
}

void PreviewPanel::closeStudy()
{
    m_study.reset();
    m_grid->setMarked(std::nullopt);
    m_studyView->hide();
}

void PreviewPanel::showLoading(double share)
{
    m_caption->setNote({});
    m_message->setLoading(
        tr("Loading data set %1…").arg(QString::fromStdString(m_config.dataset)), share);
    m_pages->setCurrentWidget(m_message);
}

bool PreviewPanel::showProblem(const QString& text)
{
    if (!text.isEmpty()) {
        if (m_due != Due::All) { // what a person wants since may go well
            halt();
        }
        m_caption->setNote({});
        m_message->setProblem(tr("There is nothing to preview: %1").arg(text));
        m_pages->setCurrentWidget(m_message);
    }
    return !text.isEmpty();
}

void PreviewPanel::showBatch(const PreviewBatch& batch)
{
    const bool isTraining = batch.split == Split::Train;
    if (view() == Classes || isTraining != (view() == Training)) {
        return; // of a view that was left
    }
    if (showProblem(batch.problem)) {
        return;
    }
    m_due = m_due == Due::Halted ? Due::Nothing : m_due;
    m_shown = batch;
    std::vector<ImageTile> tiles;
    tiles.reserve(batch.images.size());
    std::ranges::transform(batch.images, std::back_inserter(tiles), tileOf);
    m_grid->setTiles(std::move(tiles));
    const std::int64_t step = m_globalBatch > 0 ? batch.position / m_globalBatch : 0;
    const bool isDone = m_examples && batch.position < *m_examples;
    m_caption->setNote(
        isTraining ? stepText(batch, step, m_config.seed, isDone) : evaluationText(batch));
    m_caption->setToolTip(stretchText(batch));
    m_pages->setCurrentWidget(m_images);
    showSteps();
}

void PreviewPanel::showStudy(const ExampleStudy& study)
{
    if (m_study && m_study->visit == study.visit && m_study->split == study.split) {
        const bool isHidden = m_pages->currentWidget() == m_message;
        if (m_due == Due::Halted || (isHidden && showProblem(study.problem))) {
            return; // the images under the message are of what was before
        }
        m_studyView->setStudy(study);
        m_studyView->show();
        m_pages->setCurrentWidget(m_images);
    }
}

void PreviewPanel::showBalance(const ClassBalance& balance)
{
    if (view() == Classes && !showProblem(balance.problem)) {
        m_caption->setNote({});
        m_balance->setBalance(balance);
        m_pages->setCurrentWidget(m_balance);
    }
}

} // namespace lockstep::ui
