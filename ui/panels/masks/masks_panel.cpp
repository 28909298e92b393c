// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/masks/masks_panel.h"

#include "engine/evaluation.h"
#include "panels/masks/mask_strip.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/mask_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QStackedWidget>

#include <exception>
#include <optional>

namespace lockstep::ui {
namespace {

constexpr int kThresholdSteps = 100;
constexpr int kFirstThreshold = 50;
constexpr int kPageStep = 10;
constexpr int kSliderWidth = 120;

/// Makes the network: to be asked once per run.
bool canPredictMasks(const ModelSettings& model)
{
    try {
        return predictsMasks(makeNetwork(model));
    } catch (const std::exception&) { // its file is gone or no model
        return false;
    }
}

} // namespace

MasksPanel::MasksPanel(SessionController& controller, LiveRun& run, QWidget* parent)
    : Panel(parent), m_controller(controller), m_run(run),
      m_summary(new NoteLabel(NoteLabel::Tone::Muted, this)), m_tower(new QComboBox(this)),
      m_threshold(new QSlider(Qt::Horizontal, this)), m_thresholdValue(new QLabel(this)),
      m_live(new QCheckBox(tr("Live"), this)), m_legend(new MaskLegend(this)),
      m_pages(new QStackedWidget(this)), m_strip(new MaskStrip(m_pages)),
      m_message(new QLabel(m_pages))
{
    m_summary->setObjectName(QStringLiteral("masks_summary"));
    m_message->setObjectName(QStringLiteral("masks_message"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_strip);
    columnIn(this, {8, 4, 8, 4}, 4, {makeHead(), {m_pages, 1}, m_legend});
    connect(&m_refresh, &RefreshTimer::due, this, &MasksPanel::showMasks);
    connect(&controller.feed(), &RunFeed::masksArrived, this, &MasksPanel::take);
    connect(&controller, &SessionController::stateChanged, this, &MasksPanel::showMasks);
    connect(&run, &LiveRun::begun, this, &MasksPanel::begin);
    begin();
}

QLayout* MasksPanel::makeHead()
{
    const QString ofTower = tr("Tower whose images are shown");
    describeInput(*m_tower, QStringLiteral("masks_tower"), ofTower, ofTower);
    const QString ofThreshold = tr("Probability above which a cell counts as predicted");
    describeInput(*m_threshold, QStringLiteral("masks_threshold"), ofThreshold, ofThreshold);
    m_threshold->setRange(0, kThresholdSteps);
    m_threshold->setPageStep(kPageStep);
    m_threshold->setFixedWidth(kSliderWidth);
    auto* const thresholdName = new QLabel(tr("Threshold"), this);
    thresholdName->setBuddy(m_threshold);
    m_thresholdValue->setMinimumWidth(
        fontMetrics().horizontalAdvance(QLocale().toString(1.0, 'f', 2)));
    m_live->setObjectName(QStringLiteral("masks_live"));
    m_live->setToolTip(tr("Shows new masks about twice a second, while this dock is in sight"));
    m_live->setChecked(true);
    connect(m_tower, &QComboBox::activated, this, &MasksPanel::showMasks);
    connect(m_threshold, &QSlider::valueChanged, this, &MasksPanel::showThreshold);
    connect(m_live, &QCheckBox::toggled, this, [this] {
        askForMasks();
        showMasks();
    });
    m_threshold->setValue(kFirstThreshold);
    return rowOf(
        {{m_summary, 1}, thresholdName, m_threshold, m_thresholdValue, m_tower, m_live}, 12);
}

void MasksPanel::inSightChanged()
{
    askForMasks();
    if (isInSight()) {
        showMasks();
    }
}

/// Nobody looks: nothing is copied.
void MasksPanel::askForMasks()
{
    m_controller.wantMasks(isInSight() && m_live->isChecked());
}

/// Another run. The choice of the tower is kept, where the run has it.
void MasksPanel::begin()
{
    m_record.reset();
    m_hasMasks = !m_run.folder().empty() && canPredictMasks(m_run.config().model);
    const int chosen = m_tower->currentIndex();
    m_tower->clear();
    m_tower->addItem(tr("All towers"));
    const int towers = m_run.folder().empty() ? 0 : m_run.config().towers;
    for (int tower = 0; tower < towers; ++tower) {
        m_tower->addItem(tr("Tower %L1").arg(tower));
    }
    m_tower->setCurrentIndex(chosen > 0 && chosen < m_tower->count() ? chosen : 0);
    showMasks();
}

/// One that was under way when "Live" was switched off is not wanted any more.
void MasksPanel::take(const std::shared_ptr<const MaskRecord>& record)
{
    if (m_live->isChecked() && isInSight()) {
        m_record = record;
        m_refresh.request();
    }
}

void MasksPanel::showMasks()
{
    if (!isInSight()) {
        return;
    }
    m_legend->setVisible(m_record != nullptr);
    if (!m_record) {
        m_summary->setNote({});
        m_message->setText(
            m_run.folder().empty()
                ? tr("Start a run of a network that predicts masks, such as segdecnet: this shows "
                     "the masks of the images that its towers train on.")
                : noMasksText(m_hasMasks, m_controller.state(), m_live->isChecked()));
        m_pages->setCurrentWidget(m_message);
        return;
    }
    const int choice = m_tower->currentIndex();
    const std::optional<int> tower = choice > 0 ? std::optional(choice - 1) : std::nullopt;
    const QString step = tr("Step %L1, before its update.").arg(qlonglong{m_record->step});
    m_summary->setNote(
        tower ? step + QLatin1Char(' ')
                    + towerLossText(m_record->towers[static_cast<std::size_t>(*tower)])
              : step);
    m_strip->setRecord(*m_record, tower);
    m_pages->setCurrentWidget(m_strip);
}

void MasksPanel::showThreshold(int percent)
{
    const double threshold = static_cast<double>(percent) / kThresholdSteps;
    m_thresholdValue->setText(QLocale().toString(threshold, 'f', 2));
    m_legend->setThreshold(threshold);
    m_strip->setThreshold(threshold);
}

} // namespace lockstep::ui
