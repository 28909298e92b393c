// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation_panel.h"

#include "bridge/file_names.h"
#include "panels/accuracy_page.h"
#include "panels/detection_chart.h"
#include "panels/evaluation_words.h"
#include "panels/image_table.h"
#include "panels/run_facts.h"
#include "panels/trial_view.h"
#include "plots/number_text.h"
#include "widgets/wheel_guard.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace lockstep::ui {
namespace {

enum Page { Images, Accuracy };

/// A checkpoint and its evaluation come one after the other.
constexpr int kSoonMilliseconds = 60;
/// A store is written once a second.
constexpr int kLaterMilliseconds = 1400;
constexpr std::array kWidths{430, 350, 300};

std::vector<ImageScoreRow> rowsOf(const std::vector<ImageScore>& images)
{
    std::vector<ImageScoreRow> rows;
    for (const ImageScore& image : images) {
        rows.push_back(
            {image.example, QString::fromStdString(image.name), image.isPositive, image.score,
             image.loss, image.peak, image.isPeakInside});
    }
    return rows;
}

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
    : QWidget(parent), m_run(run), m_pages(new QStackedWidget(this))
{
    setAcceptDrops(true);
    m_pages->addWidget(makeImages());
    m_accuracy = new AccuracyPage(m_pages);
    m_pages->addWidget(m_accuracy);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(m_pages);
    for (auto [timer, milliseconds] :
         {std::pair{&m_soon, kSoonMilliseconds}, {&m_later, kLaterMilliseconds}}) {
        timer->setSingleShot(true);
        timer->setInterval(milliseconds);
        connect(timer, &QTimer::timeout, this, &EvaluationPanel::ask);
    }
    connect(&m_history, &EvaluationHistory::arrived, this, &EvaluationPanel::take);
    connect(&m_trials, &ImageTrials::arrived, this, &EvaluationPanel::takeTrial);
    connect(&run, &LiveRun::begun, this, &EvaluationPanel::begin);
    connect(&run, &LiveRun::evaluated, this, &EvaluationPanel::look);
    begin();
}

QWidget* EvaluationPanel::makeImages()
{
    m_table = new ImageTable(this);
    m_chart = new DetectionChart(this);
    m_trial = new TrialView(this);
    makeChoices();
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_table);
    parts->addWidget(m_chart);
    parts->addWidget(m_trial);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(8);
    parts->setSizes({kWidths.begin(), kWidths.end()});
    for (int i = 0; i < parts->count(); ++i) {
        parts->setStretchFactor(i, kWidths[static_cast<std::size_t>(i)]);
    }
    connect(m_chart, &DetectionChart::thresholdChanged, m_table, &ImageTable::setThreshold);
    connect(m_table, &ImageTable::chosen, this, &EvaluationPanel::tryExample);
    connect(m_trial, &TrialView::fileWanted, this, &EvaluationPanel::tryFile);
    return parts;
}

void EvaluationPanel::makeChoices()
{
    m_step = new QComboBox(this);
    m_step->setObjectName(QStringLiteral("evaluation_step"));
    m_step->setAccessibleName(tr("Evaluation that is shown"));
    m_step->setToolTip(m_step->accessibleName());
    m_step->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_weights = new QComboBox(this);
    m_weights->setObjectName(QStringLiteral("evaluation_weights"));
    m_weights->setAccessibleName(tr("Weights that were evaluated"));
    m_weights->setToolTip(
        tr("The moving averages of the weights, or the weights as training updates them"));
    m_weights->addItems({tr("Moving averages"), tr("Weights")});
    for (QComboBox* const box : {m_step, m_weights}) {
        new WheelGuard(box);
        connect(box, &QComboBox::activated, this, &EvaluationPanel::ask);
        connect(box, &QComboBox::activated, this, &EvaluationPanel::tryAgain);
        m_table->addChoice(box);
    }
}

void EvaluationPanel::setInSight(bool isInSight)
{
    m_isInSight = isInSight;
    if (isInSight) {
        ask();
    } else {
        if (m_trials.isBusy()) {
            clearTrial(); // nobody waits for it any more
        }
        m_trials.close();
    }
}

WeightsKind EvaluationPanel::weights() const
{
    return m_weights->currentIndex() == 1 ? WeightsKind::Raw : WeightsKind::Average;
}

bool EvaluationPanel::canTry() const
{
    return !m_run.folder().empty() && hasMasks(m_run.config().dataset);
}

void EvaluationPanel::begin()
{
    m_picture = std::make_shared<const EvaluationPicture>();
    m_history.forget();
    m_trials.close();
    m_step->clear();
    showChoices();
    clearTrial();
    if (m_run.folder().empty()) {
        m_accuracy->setMessage(
            tr("Start or open a run: what its evaluations say of each image is shown here."));
        m_pages->setCurrentIndex(Accuracy);
        return;
    }
    showPicture();
    ask();
}

void EvaluationPanel::clearTrial()
{
    m_tried.reset();
    m_table->clearSelection();
    m_trial->clear(
        tr("Choose an image from the table to see its mask, or drop one of your own here."),
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
    if (!m_isInSight || m_run.folder().empty()) {
        return;
    }
    const QVariant step = m_step->currentData();
    m_history.request(
        {m_run.folder(), step.isValid() ? std::optional(step.toLongLong()) : std::nullopt,
         weights()});
}

void EvaluationPanel::take(
    const EvaluationRequest& request, const std::shared_ptr<const EvaluationPicture>& picture)
{
    if (request.folder != m_run.folder()) {
        return; // of the run before
    }
    m_picture = picture;
    showChoices();
    showPicture();
}

/// The steps that were evaluated, the latest first; above them whichever is the newest.
void EvaluationPanel::showChoices()
{
    const QVariant chosen = m_step->currentData();
    std::set<std::int64_t, std::greater<>> steps;
    for (const EvaluationRecord& record : m_picture->evaluations) {
        steps.insert(record.step);
    }
    m_step->clear();
    m_step->addItem(
        steps.empty() ? tr("Newest") : tr("Newest: step %1").arg(countText(*steps.begin())));
    for (const std::int64_t step : steps) {
        m_step->addItem(tr("Step %1").arg(countText(step)), static_cast<qlonglong>(step));
    }
    m_step->setCurrentIndex(chosen.isValid() ? std::max(0, m_step->findData(chosen)) : 0);
}

void EvaluationPanel::showPicture()
{
    const QString text = m_picture->problem.isEmpty() ? reasonForNoCurve(m_run.config(), *m_picture)
                                                      : m_picture->problem;
    if (!hasMasks(m_run.config().dataset)) {
        m_accuracy->setEvaluations(m_picture->evaluations, text);
        m_pages->setCurrentIndex(Accuracy);
        return;
    }
    m_chart->setEmptyText(text);
    m_table->setRows(rowsOf(m_picture->images));
    m_chart->setPicture(*m_picture);
    m_pages->setCurrentIndex(Images);
}

void EvaluationPanel::tryExample(qint64 example)
{
    askNetwork(std::int64_t{example});
}

void EvaluationPanel::tryFile(const std::filesystem::path& file)
{
    m_table->clearSelection();
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
    const QVariant chosen = m_step->currentData();
    const std::int64_t step =
        chosen.isValid() ? chosen.toLongLong() : newestStep(m_picture->evaluations, weights());
    const TrialRequest request{m_run.folder(), step, weights(), image};
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
