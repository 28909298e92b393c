// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/evaluation_panel.h"

#include "bridge/base/file_names.h"
#include "panels/evaluation/class_page.h"
#include "panels/evaluation/detection_page.h"
#include "panels/evaluation/evaluation_choices.h"
#include "panels/evaluation/evaluation_text.h"
#include "panels/evaluation/trial_view.h"
#include "panels/shared/run_choices.h"
#include "widgets/forms/note_label.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace lockstep::ui {
namespace {

enum StackPage { Shown, Message };
enum Kind { Detection, Classes };

/// A checkpoint and its evaluation come one after the other.
constexpr int kSoonMilliseconds = 60;
/// A store is written once a second.
constexpr int kLaterMilliseconds = 1400;
constexpr std::array kWidths{780, 300};

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

/// The first local file that is dragged; empty without any.
QString draggedFile(const QMimeData& data)
{
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            return url.toLocalFile();
        }
    }
    return {};
}

} // namespace

EvaluationPanel::EvaluationPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_pages(new QStackedWidget(this)),
      m_kinds(new QStackedWidget(this)), m_choices(new EvaluationChoices(this)),
      m_detection(new DetectionPage(this)), m_classes(new ClassPage(this)),
      m_trial(new TrialView(this)), m_message(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    setAcceptDrops(true);
    m_message->setObjectName(QStringLiteral("evaluation_message"));
    m_message->setAlignment(Qt::AlignCenter);
    m_pages->addWidget(makeParts());
    m_pages->addWidget(m_message);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(m_pages);
    for (auto [timer, milliseconds] :
         {std::pair{&m_soon, kSoonMilliseconds}, {&m_later, kLaterMilliseconds}}) {
        timer->setSingleShot(true);
        timer->setInterval(milliseconds);
        connect(timer, &QTimer::timeout, this, &EvaluationPanel::ask);
    }
    connect(&m_trials, &ImageTrials::arrived, this, &EvaluationPanel::takeTrial);
    connect(&run, &LiveRun::begun, this, &EvaluationPanel::begin);
    connect(&run, &LiveRun::evaluated, this, &EvaluationPanel::look);
    begin();
}

QWidget* EvaluationPanel::makeParts()
{
    m_detection->addChoices(m_choices);
    m_kinds->addWidget(m_detection);
    m_kinds->addWidget(m_classes);
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_kinds);
    parts->addWidget(m_trial);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(8);
    parts->setSizes({kWidths.begin(), kWidths.end()});
    for (int i = 0; i < parts->count(); ++i) {
        parts->setStretchFactor(i, kWidths[static_cast<std::size_t>(i)]);
    }
    connect(m_choices, &EvaluationChoices::changed, this, &EvaluationPanel::ask);
    connect(m_choices, &EvaluationChoices::changed, this, &EvaluationPanel::tryAgain);
    connect(m_detection, &DetectionPage::exampleWanted, this, &EvaluationPanel::tryExample);
    connect(m_classes, &ClassPage::exampleWanted, this, &EvaluationPanel::tryExample);
    connect(m_trial, &TrialView::fileWanted, this, &EvaluationPanel::tryFile);
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
        m_trials.close();
    }
}

bool EvaluationPanel::canTry() const
{
    return !m_run.folder().empty();
}

void EvaluationPanel::begin()
{
    m_picture = std::make_shared<const EvaluationPicture>();
    m_history.run([this] { m_reader.forget(); });
    m_trials.close();
    m_choices->reset();
    m_classes->clear();
    clearTrial();
    if (m_run.folder().empty()) {
        m_message->setNote(
            tr("Start or open a run: this shows what its evaluations say about each image."));
        m_pages->setCurrentIndex(Message);
        return;
    }
    showKind();
    showPicture();
    ask();
}

/// The parts that fit what the run's network does.
void EvaluationPanel::showKind()
{
    if (hasMasks(m_run.config().dataset)) {
        m_detection->addChoices(m_choices);
        m_kinds->setCurrentIndex(Detection);
    } else {
        m_classes->addChoices(m_choices);
        m_kinds->setCurrentIndex(Classes);
    }
    m_pages->setCurrentIndex(Shown);
}

void EvaluationPanel::deselect()
{
    m_detection->deselect();
    m_classes->deselect();
}

void EvaluationPanel::clearTrial()
{
    m_tried.reset();
    deselect();
    m_trial->clear(
        tr("Choose an image from the table to see what the network makes of it, or drop one of "
           "your own here."),
        canTry());
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
    if (m_kinds->currentIndex() == Detection) {
        m_detection->setPicture(*m_picture, text);
    } else {
        m_classes->setPicture(*m_picture, text);
    }
}

void EvaluationPanel::tryExample(qint64 example)
{
    askNetwork(std::int64_t{example});
}

void EvaluationPanel::tryFile(const std::filesystem::path& file)
{
    deselect();
    askNetwork(file);
}

/// The image that is shown, by the weights that were chosen now.
void EvaluationPanel::tryAgain()
{
    if (m_tried) {
        askNetwork(m_tried->image);
    }
}

void EvaluationPanel::askNetwork(const std::variant<std::int64_t, std::filesystem::path>& image)
{
    const WeightsKind weights = m_choices->weights();
    const std::int64_t step =
        m_choices->step().value_or(newestStep(m_picture->evaluations, weights));
    const TrialRequest request{m_run.folder(), step, weights, image};
    if (m_trials.isBusy() && request == m_tried) {
        return; // its answer is on its way
    }
    m_tried = request;
    m_trial->setBusy();
    m_trials.request(request);
}

void EvaluationPanel::takeTrial(
    const TrialRequest& request, const std::shared_ptr<const TrialAnswer>& answer)
{
    if (request == m_tried) {
        m_trial->setAnswer(*answer, request);
    }
}

void EvaluationPanel::dragEnterEvent(QDragEnterEvent* event)
{
    if (canTry() && !draggedFile(*event->mimeData()).isEmpty()) {
        event->setDropAction(Qt::CopyAction);
        event->accept();
    }
}

void EvaluationPanel::dropEvent(QDropEvent* event)
{
    event->setDropAction(Qt::CopyAction);
    event->accept();
    tryFile(toPath(draggedFile(*event->mimeData())));
}

} // namespace lockstep::ui
