// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview_panel.h"

#include "panels/balance_page.h"
#include "panels/preview_message.h"
#include "panels/preview_steps.h"
#include "panels/preview_words.h"
#include "panels/study_view.h"
#include "widgets/image_grid.h"
#include "widgets/note_label.h"
#include "widgets/wheel_guard.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kLeastHeight = 32; // of the images, which scroll

constexpr int kImagesPerTower = 12;
/// A person who types is not asked for after every digit.
constexpr int kSettleMilliseconds = 250;
constexpr qint64 kLastStep = 1'000'000'000;

std::int64_t globalBatchOf(const RunConfig& config)
{
    try {
        config.validate();
        return config.towerShape().globalBatch();
    } catch (const Error&) {
        return 0; // BatchPreview says why
    }
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

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent), m_globalBatch(globalBatchOf(m_config)), m_view(new QComboBox(this)),
      m_caption(new NoteLabel(NoteLabel::Tone::Muted, this)), m_steps(new PreviewSteps(this)),
      m_live(new QCheckBox(tr("Live"), this)), m_pages(new QStackedWidget(this)),
      m_message(new PreviewMessage), m_grid(new ImageGrid), m_studyView(new StudyView),
      m_balance(new BalancePage)
{
    m_message->setWaiting(tr("Making the first batch…"));
    m_pages->setMinimumHeight(kLeastHeight);
    m_images = makeImages();
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_images);
    m_pages->addWidget(m_balance);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeHead());
    layout->addWidget(m_pages, 1);
    m_timer.setSingleShot(true);
    connectParts();
    showSteps();
}

QLayout* PreviewPanel::makeHead()
{
    m_view->setObjectName(QStringLiteral("preview_view"));
    m_view->setAccessibleName(tr("What is shown of the data"));
    m_view->setToolTip(m_view->accessibleName());
    m_view->addItem(tr("Training"));
    m_view->setItemData(Training, tr("The batch of a step, as the towers get it"), Qt::ToolTipRole);
    m_view->addItem(tr("Evaluation"));
    m_view->setItemData(Evaluation, tr("The test set, as evaluations see it"), Qt::ToolTipRole);
    m_view->addItem(tr("Class balance"));
    m_view->setItemData(Classes, tr("How many examples there are of each class"), Qt::ToolTipRole);
    new WheelGuard(m_view);
    m_caption->setObjectName(QStringLiteral("preview_caption"));
    m_live->setObjectName(QStringLiteral("preview_live"));
    m_live->setChecked(true);
    m_live->setToolTip(tr("While a run goes on, shows the newest step's batch, at most every two "
                          "seconds"));
    auto* const head = new QHBoxLayout;
    head->setContentsMargins(10, 4, 10, 4);
    head->setSpacing(12);
    head->addWidget(m_view);
    head->addWidget(m_steps);
    head->addWidget(m_live);
    head->addWidget(m_caption, 1);
    return head;
}

QWidget* PreviewPanel::makeImages()
{
    auto* const parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(m_grid);
    parts->addWidget(m_studyView);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(8);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    m_studyView->hide();
    return parts;
}

void PreviewPanel::connectParts()
{
    connect(m_view, &QComboBox::currentIndexChanged, this, &PreviewPanel::setView);
    connect(m_steps, &PreviewSteps::stepChosen, this, &PreviewPanel::chooseStep);
    connect(m_steps, &PreviewSteps::newestWanted, this, &PreviewPanel::refresh);
    connect(m_live, &QCheckBox::toggled, this, &PreviewPanel::setLive);
    connect(m_grid, &ImageGrid::chosen, this, &PreviewPanel::studyTile);
    connect(m_studyView, &StudyView::closed, this, &PreviewPanel::closeStudy);
    connect(m_message, &PreviewMessage::cancelled, &m_preview, &BatchPreview::cancel);
    connect(m_message, &PreviewMessage::again, this, &PreviewPanel::askAnew);
    connect(&m_timer, &QTimer::timeout, this, &PreviewPanel::ask);
    connect(&m_preview, &BatchPreview::loading, this, &PreviewPanel::showLoading);
    connect(&m_preview, &BatchPreview::made, this, &PreviewPanel::showBatch);
    connect(&m_preview, &BatchPreview::studied, this, &PreviewPanel::showStudy);
    connect(&m_preview, &BatchPreview::counted, this, &PreviewPanel::showBalance);
}

PreviewPanel::View PreviewPanel::view() const
{
    return static_cast<View>(m_view->currentIndex());
}

void PreviewPanel::setConfig(const RunConfig& config)
{
    const bool isOtherData = datasetOf(config) != datasetOf(m_config);
    m_config = config;
    if (isOtherData) {
        m_page = 0;
        closeStudy();
    } else if (m_study) {
        m_study->config = config;
        m_isStudyStale = true;
    }
    m_globalBatch = globalBatchOf(config);
    m_examples.reset();
    m_isStale = true;
    m_timer.stop();
    showSteps();
    askIn(kSettleMilliseconds);
}

void PreviewPanel::setPosition(std::int64_t examples)
{
    m_examples = examples;
    if (m_live->isChecked() && view() == Training) {
        m_isStale = true;
        askIn(m_sinceAsked.isValid() ? kLiveMilliseconds - m_sinceAsked.elapsed() : 0);
    }
}

void PreviewPanel::setInSight(bool isInSight)
{
    m_isInSight = isInSight;
    askIn(0);
}

std::int64_t PreviewPanel::newestStep() const
{
    return m_examples && m_globalBatch > 0
               ? std::max<std::int64_t>(0, *m_examples / m_globalBatch - 1)
               : 0;
}

void PreviewPanel::setView()
{
    closeStudy();
    m_caption->setNote({});
    m_message->setWaiting(tr("Making the preview…"));
    m_pages->setCurrentWidget(m_message);
    showSteps();
    askAnew();
}

/// What one goes through, as far as it is known.
void PreviewPanel::showSteps()
{
    const bool isTraining = view() == Training;
    const bool isEvaluation = view() == Evaluation;
    const std::int64_t pages = (m_shown.examples + kPageImages - 1) / kPageImages;
    const bool isOfTest = m_shown.split == Split::Test && pages > 0;
    m_steps->setVisible(view() != Classes);
    m_steps->setNewestEnabled(isTraining && !m_live->isChecked());
    m_steps->setRange(
        isTraining ? kLastStep : std::max<qint64>(m_page, isOfTest ? pages - 1 : 0),
        isTraining ? tr("Step whose batch is shown") : tr("Page of the test set"));
    m_steps->setStep(isEvaluation ? m_page : m_chosenStep.value_or(newestStep()));
    m_live->setVisible(isTraining);
}

void PreviewPanel::setLive(bool isLive)
{
    m_chosenStep = isLive ? std::nullopt : std::optional(newestStep());
    showSteps();
    if (isLive) {
        askAnew();
    }
}

void PreviewPanel::chooseStep(qint64 step)
{
    if (view() == Evaluation) {
        m_page = step;
    } else {
        m_live->setChecked(false);
        m_chosenStep = step;
    }
    askAnew();
}

void PreviewPanel::refresh()
{
    m_chosenStep.reset();
    askAnew();
}

void PreviewPanel::askAnew()
{
    m_isStale = true;
    m_timer.stop();
    ask();
}

void PreviewPanel::askIn(qint64 milliseconds)
{
    if (m_isInSight && m_isStale && !m_timer.isActive()) {
        m_timer.start(static_cast<int>(std::max<qint64>(0, milliseconds)));
    }
}

void PreviewPanel::ask()
{
    if (!m_isInSight || !m_isStale) {
        return;
    }
    m_isStale = false;
    m_sinceAsked.start();
    if (view() == Classes) {
        m_preview.request(BalanceRequest{m_config});
        return;
    }
    askForImages();
    if (m_study && std::exchange(m_isStudyStale, false)) {
        m_preview.request(*m_study);
    }
}

void PreviewPanel::askForImages()
{
    if (!m_live->isChecked() && !m_chosenStep) {
        m_chosenStep = newestStep();
    }
    const bool isTraining = view() == Training;
    const std::int64_t position =
        isTraining ? m_chosenStep.value_or(newestStep()) * m_globalBatch : m_page * kPageImages;
    m_preview.request(BatchRequest{
        m_config, isTraining ? Split::Train : Split::Test, position,
        isTraining ? kImagesPerTower : kPageImages});
    emit requested(position);
}

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
    m_shown = batch;
    std::vector<ImageTile> tiles;
    tiles.reserve(batch.images.size());
    std::ranges::transform(batch.images, std::back_inserter(tiles), tileOf);
    m_grid->setTiles(std::move(tiles));
    const std::int64_t step = m_globalBatch > 0 ? batch.position / m_globalBatch : 0;
    const bool isDone = m_examples && batch.position < *m_examples;
    m_caption->setNote(
        isTraining ? stepText(batch, step, m_config.seed, isDone)
                   : evaluationText(batch, m_config));
    m_pages->setCurrentWidget(m_images);
    showSteps();
}

void PreviewPanel::showStudy(const ExampleStudy& study)
{
    if (m_study && m_study->visit == study.visit && m_study->split == study.split) {
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
