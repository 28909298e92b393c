// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/evaluation_panel.h"

#include "bridge/base/file_names.h"
#include "panels/evaluation/files_page.h"
#include "panels/shared/run_choices.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QFileDialog>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

namespace lockstep::ui {
namespace {

enum StackPage { Shown, Message };
enum Kind { Detection, Classes };

/// A checkpoint and its evaluation come one after the other.
constexpr int kSoonMilliseconds = 60;
/// A store is written once a second.
constexpr int kLaterMilliseconds = 1400;
constexpr int kTableWidth = 780;
constexpr int kTrialWidth = 300;

/// An evaluation that is not there yet stands for the newest weights.
std::int64_t newestStep(const std::vector<EvaluationRecord>& evaluations, WeightsKind weights)
{
    std::optional<std::int64_t> newest;
    for (const EvaluationRecord& record : evaluations) {
        if (record.weights == weights) {
            newest = std::max(newest.value_or(record.step), record.step);
        }
    }
    return newest.value_or(std::numeric_limits<std::int64_t>::max());
}

} // namespace

QString reasonForNoCurve(const RunConfig& config, const EvaluationPicture& picture)
{
    if (!picture.chosen) {
        return EvaluationPanel::tr("Not evaluated yet: evaluate now in the menu Run, or every so "
                                   "many steps (evaluate.every_steps).");
    }
    if (!hasMasks(config.dataset)) {
        return picture.classified.empty() ? EvaluationPanel::tr(
                   "The results for each image were not kept: a run keeps them for its newest "
                   "evaluation and for the most accurate one.")
                                          : QString();
    }
    return picture.images.empty()
               ? EvaluationPanel::tr("This evaluation has no scores of its images.")
               : EvaluationPanel::tr("None of the test images is defective: precision and recall "
                                     "need some that are");
}

EvaluationPanel::EvaluationPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_pages(new QStackedWidget(this)),
      m_kinds(new QStackedWidget(this)), m_choices(new EvaluationChoices(this)),
      m_kindPages(makeEvaluationPages(this)), m_page(m_kindPages.front()),
      m_files(new FilesPage(this)), m_try(new QPushButton(tr("Try an Image…"), this)),
      m_trial(new TrialView(this)), m_message(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_message->setObjectName(QStringLiteral("evaluation_message"));
    m_message->setAlignment(Qt::AlignCenter);
    m_pages->addWidget(makeParts());
    m_pages->addWidget(m_message);
    columnIn(this, {6, 4, 6, 4}, kUsualSpacing, {m_pages});
    for (auto [timer, milliseconds] :
         {std::pair{&m_soon, kSoonMilliseconds}, {&m_later, kLaterMilliseconds}}) {
        timer->setSingleShot(true);
        timer->setInterval(milliseconds);
        connect(timer, &QTimer::timeout, this, &EvaluationPanel::ask);
    }
    connect(&m_images, &TrialSeries::arrived, this, [this](const SeriesAnswer& answer) {
        m_page->setImage(std::get<std::int64_t>(answer.image), answer.tried);
    });
    connect(&run, &LiveRun::begun, this, &EvaluationPanel::begin);
    connect(&run, &LiveRun::evaluated, this, &EvaluationPanel::look);
    begin();
}

QWidget* EvaluationPanel::makeParts()
{
    auto* const parts = new QWidget(this);
    m_try->setObjectName(QStringLiteral("evaluation_try"));
    m_try->setToolTip(
        tr("Asks the network about a JPEG, PNG or BMP of your own, or several. They can also be "
           "dropped here, and so can a folder."));
    connect(m_try, &QPushButton::clicked, this, &EvaluationPanel::chooseImage);
    columnIn(
        parts, {}, 4,
        {rowOf(
             {m_choices, &m_kindPages[Detection]->filters(), &m_kindPages[Classes]->filters(),
              space(), m_try}),
         {sideBySide({{m_kinds, kTableWidth}, {m_trial, kTrialWidth}}), 1}});
    for (EvaluationPage* const page : m_kindPages) {
        m_kinds->addWidget(page);
        connect(page, &EvaluationPage::exampleWanted, this, [this](qint64 example) {
            askNetwork(std::int64_t{example});
        });
        connect(page, &EvaluationPage::imagesWanted, this, [this](const auto& examples) {
            m_images.start(trialRequest(), [examples] {
                return TrialSeries::Images(examples.begin(), examples.end());
            });
        });
    }
    m_kinds->addWidget(m_files);
    connect(m_files, &FilesPage::fileWanted, this, [this](const std::filesystem::path& file) {
        askNetwork(file);
    });
    connect(m_files, &FilesPage::closed, this, [this] {
        showKind(m_page);
        clearTrial();
    });
    connect(m_choices, &EvaluationChoices::changed, this, &EvaluationPanel::ask);
    connect(m_choices, &EvaluationChoices::changed, this, &EvaluationPanel::tryAgain);
    return parts;
}

void EvaluationPanel::inSightChanged()
{
    if (isInSight()) {
        ask();
    } else {
        if (m_trials.isBusy()) {
            clearTrial(); // nobody waits for it any more
        }
        closeNetwork();
        m_images.cancel();
    }
}

void EvaluationPanel::begin()
{
    m_picture = std::make_shared<const EvaluationPicture>();
    m_history.run([this] { m_reader.forget(); });
    closeNetwork();
    m_images.cancel();
    m_files->clear();
    m_choices->reset();
    for (EvaluationPage* const page : m_kindPages) {
        page->clear();
    }
    clearTrial();
    if (m_run.folder().empty()) {
        m_message->setNote(
            tr("Start or open a run: this shows what its evaluations say about each image, and "
               "what its network makes of any picture that you drop here."));
        m_pages->setCurrentIndex(Message);
        return;
    }
    // The parts that fit what the run's network does.
    m_page = m_kindPages[hasMasks(m_run.config().dataset) ? Detection : Classes];
    showKind(m_page);
    m_pages->setCurrentIndex(Shown);
    showPicture();
    ask();
}

/// With what narrows its table.
void EvaluationPanel::showKind(QWidget* kind)
{
    m_kinds->setCurrentWidget(kind);
    for (EvaluationPage* const page : m_kindPages) {
        page->filters().setVisible(page == kind);
    }
}

void EvaluationPanel::clearTrial()
{
    m_tried.reset();
    m_page->deselect();
    m_try->setEnabled(!m_run.folder().empty() && !m_run.isRecorded());
    m_trial->clear(
        tr("Choose an image from the table to see what the network makes of it, or drop one of "
           "your own here."));
}

/// Soon, and once more when the store has what happened just now.
void EvaluationPanel::look()
{
    if (!m_soon.isActive()) {
        m_soon.start();
    }
    m_later.start();
}

void EvaluationPanel::ask()
{
    if (!isInSight() || m_run.folder().empty()) {
        return;
    }
    m_history.request({m_run.folder(), m_choices->step(), m_choices->weights()});
}

void EvaluationPanel::take(
    const EvaluationRequest& request, const std::shared_ptr<const EvaluationPicture>& picture)
{
    if (request.folder != m_run.folder()) {
        return; // of the run before
    }
    m_picture = picture;
    m_choices->setEvaluations(m_picture->evaluations);
    showPicture();
}

void EvaluationPanel::showPicture()
{
    const QString text = m_picture->problem.isEmpty() ? reasonForNoCurve(m_run.config(), *m_picture)
                                                      : m_picture->problem;
    m_page->setPicture(*m_picture, text);
}

/// The window stays alive meanwhile, and so does a run.
void EvaluationPanel::chooseImage()
{
    auto* const dialog = new QFileDialog(window(), tr("Try an Image"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilter(tr("Images (*.jpg *.jpeg *.png *.bmp);;All files (*)"));
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& names) {
        std::vector<std::filesystem::path> files;
        std::ranges::transform(names, std::back_inserter(files), toPath);
        tryFiles(files);
    });
    dialog->open();
}

void EvaluationPanel::tryFiles(const std::vector<std::filesystem::path>& places)
{
    std::error_code ignored;
    if (places.size() == 1 && !std::filesystem::is_directory(places.front(), ignored)) {
        m_page->deselect();
        askNetwork(places.front());
        return;
    }
    clearTrial();
    m_files->start(trialRequest(), places);
    showKind(m_files);
}

/// The image that is shown, and the files that are listed, by the weights that were chosen now.
void EvaluationPanel::tryAgain()
{
    m_files->again(trialRequest());
    if (m_tried) {
        askNetwork(m_tried->image);
    }
}

/// By the weights that are chosen; of no image yet.
TrialRequest EvaluationPanel::trialRequest() const
{
    const WeightsKind weights = m_choices->weights();
    const std::int64_t step =
        m_choices->step().value_or(newestStep(m_picture->evaluations, weights));
    return {m_run.folder(), step, weights, {}, m_run.machine()};
}

void EvaluationPanel::askNetwork(const std::variant<std::int64_t, std::filesystem::path>& image)
{
    TrialRequest request = trialRequest();
    request.image = image;
    if (m_trials.isBusy() && request == m_tried) {
        return; // its answer is on its way
    }
    m_tried = request;
    m_trial->setBusy();
    m_trials.request(request);
}

void EvaluationPanel::takeTrial(const TrialRequest& request, const TrialAnswer& answer)
{
    if (request == m_tried) {
        m_trial->setAnswer(answer, request);
    }
}

/// Forgets who waits, and gives the memory of network and data set back.
void EvaluationPanel::closeNetwork()
{
    m_trials.forgetWaiting();
    m_trials.run([this] { m_network.close(); });
}

} // namespace lockstep::ui
