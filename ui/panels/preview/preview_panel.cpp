// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_panel.h"

#include "engine/data.h"
#include "panels/preview/preview_parts.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/image_grid.h"

#include <QCheckBox>
#include <QComboBox>
#include <QStackedWidget>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kLeastHeight = 32; // of the images, which scroll
// While one of them is looked at.
constexpr int kGridWidth = 340;
constexpr int kStudyWidth = 660;
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

/// Ignores the seed: it leaves most data as they are, and never makes fewer of them.
bool isSameData(const RunConfig& one, const RunConfig& other)
{
    DatasetRequest first = datasetOf(one);
    DatasetRequest second = datasetOf(other);
    first.seed = first.masked.seed = second.seed = second.masked.seed = 0;
    return first == second;
}

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

PreviewPanel::PreviewPanel(QWidget* parent)
    : Panel(parent), m_view(new QComboBox(this)),
      m_caption(new NoteLabel(NoteLabel::Tone::Muted, this)), m_steps(new PreviewSteps(this)),
      m_live(new QCheckBox(tr("Live"), this)), m_pages(new QStackedWidget(this)),
      m_message(new PreviewMessage), m_grid(new ImageGrid), m_studyView(new StudyView),
      m_balance(new BalancePage)
{
    m_message->setWaiting(tr("Making the first batch…"));
    m_pages->setMinimumHeight(kLeastHeight);
    m_images = sideBySide({{m_grid, kGridWidth}, {m_studyView, kStudyWidth}});
    m_studyView->hide();
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_images);
    m_pages->addWidget(m_balance);
    columnIn(this, {}, 0, {makeHead(), {m_pages, 1}});
    m_timer.setSingleShot(true);
    connect(m_view, &QComboBox::currentIndexChanged, this, &PreviewPanel::setView);
    connect(m_steps, &PreviewSteps::stepChosen, this, &PreviewPanel::chooseStep);
    connect(m_steps, &PreviewSteps::newestWanted, this, &PreviewPanel::refresh);
    connect(m_live, &QCheckBox::toggled, this, &PreviewPanel::setLive);
    connect(m_grid, &ImageGrid::chosen, this, &PreviewPanel::studyTile);
    connect(m_studyView, &StudyView::closed, this, &PreviewPanel::closeStudy);
    connect(m_message, &PreviewMessage::cancelled, this, &PreviewPanel::cancel);
    connect(m_message, &PreviewMessage::again, this, &PreviewPanel::askAnew);
    connect(&m_timer, &QTimer::timeout, this, &PreviewPanel::ask);
    connect(&m_preview, &BatchPreview::loading, this, &PreviewPanel::showLoading);
    connect(&m_preview, &BatchPreview::made, this, &PreviewPanel::showBatch);
    connect(&m_preview, &BatchPreview::studied, this, &PreviewPanel::showStudy);
    connect(&m_preview, &BatchPreview::counted, this, &PreviewPanel::showBalance);
    showSteps();
}

QLayout* PreviewPanel::makeHead()
{
    const QString meaning = tr("What is shown of the data");
    describeInput(*m_view, QStringLiteral("preview_view"), meaning, meaning);
    m_view->addItems({tr("Training"), tr("Evaluation"), tr("Class balance")});
    m_view->setItemData(Training, tr("The batch of a step, as the towers get it"), Qt::ToolTipRole);
    m_view->setItemData(Evaluation, tr("The test set, as evaluations see it"), Qt::ToolTipRole);
    m_view->setItemData(Classes, tr("How many examples there are of each class"), Qt::ToolTipRole);
    new WheelGuard(m_view);
    m_caption->setObjectName(QStringLiteral("preview_caption"));
    m_live->setObjectName(QStringLiteral("preview_live"));
    m_live->setChecked(true);
    m_live->setToolTip(tr("While a run goes on, shows the newest step's batch, at most every two "
                          "seconds"));
    // Room at the end, while there is no caption.
    return rowOf({m_view, m_steps, m_live, {m_caption, 1}, space(0)}, 12, {10, 4, 10, 4});
}

PreviewPanel::View PreviewPanel::view() const
{
    return static_cast<View>(m_view->currentIndex());
}

void PreviewPanel::setConfig(const RunConfig& config, const std::shared_ptr<RemoteMachine>& machine)
{
    const bool isOtherData =
        std::exchange(m_machine, machine) != machine || !isSameData(config, m_config);
    m_preview.setMachine(machine);
    m_config = config;
    if (isOtherData) {
        forgetImages();
    } else if (m_study) {
        m_study->config = config;
        m_isStudyStale = true;
    }
    m_globalBatch = globalBatchOf(config);
    m_examples.reset();
    m_due = Due::All;
    m_timer.stop();
    showSteps();
    askIn(kSettleMilliseconds);
}

/// What is shown is of other data than what would be asked for.
void PreviewPanel::forgetImages()
{
    m_page = 0;
    m_shown = {};
    closeStudy();
    m_grid->setTiles({});
    m_message->setWaiting(tr("Making the preview…"));
    m_pages->setCurrentWidget(m_message);
}

void PreviewPanel::setPosition(std::int64_t examples)
{
    m_examples = examples;
    if (m_live->isChecked() && view() == Training) {
        m_due = m_due == Due::Nothing ? Due::Step : m_due;
        askIn(m_sinceAsked.isValid() ? kLiveMilliseconds - m_sinceAsked.elapsed() : 0);
    }
}

void PreviewPanel::inSightChanged()
{
    if (!isInSight() && m_preview.abandon()) {
        m_due = Due::All;
        m_isStudyStale = m_study.has_value();
    }
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
    m_caption->setNote({});
    forgetImages();
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
    m_steps->setRange(
        isTraining ? kLastStep : std::max<qint64>(m_page, isOfTest ? pages - 1 : 0),
        isTraining ? tr("Step whose batch is shown") : tr("Page of the test set"),
        isTraining && !m_live->isChecked());
    m_steps->setStep(isEvaluation ? m_page : m_chosenStep.value_or(newestStep()));
    m_live->setVisible(isTraining);
}

void PreviewPanel::setLive(bool isLive)
{
    if (isLive) {
        m_chosenStep.reset();
        askAnew();
    } else if (!m_chosenStep) {
        m_chosenStep = newestStep();
    }
    showSteps();
}

void PreviewPanel::chooseStep(qint64 step)
{
    if (view() == Evaluation) {
        m_page = step;
    } else {
        m_chosenStep = step;
        m_live->setChecked(false);
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
    m_due = Due::All;
    m_timer.stop();
    ask();
}

void PreviewPanel::askIn(qint64 milliseconds)
{
    if (isDue() && !m_timer.isActive()) {
        m_timer.start(static_cast<int>(std::max<qint64>(0, milliseconds)));
    }
}

bool PreviewPanel::isDue() const noexcept
{
    return isInSight() && (m_due == Due::Step || m_due == Due::All);
}

/// A run that goes on would have what failed made again and again.
void PreviewPanel::halt()
{
    m_due = Due::Halted;
    m_isStudyStale = m_study.has_value();
    m_timer.stop();
}

void PreviewPanel::cancel()
{
    halt();
    m_preview.abandon();
    static_cast<void>(showProblem(tr("the loading of the data set was cancelled")));
}

void PreviewPanel::ask()
{
    if (!isDue()) {
        return;
    }
    m_due = Due::Nothing;
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
