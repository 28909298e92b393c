// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_dialog.h"

#include "dialogs/scaling/scaling_view.h"
#include "engine/bench.h"
#include "theme/icons.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kMostTowers = 64;
constexpr int kMostUseful = 8;
constexpr int kMostSeconds = 600;
constexpr int kMillisecondsBetweenReports = 100;

/// GPUs where the configuration may use them, or else processors; at least 2.
int usefulTowersOf(const RunConfig& config, const std::vector<DeviceRow>& devices)
{
    int gpus = 0;
    int processors = 0;
    for (const DeviceRow& device : devices) {
        const bool isCpu = device.name == QStringLiteral("cpu");
        gpus += device.isAvailable && !isCpu ? 1 : 0;
        processors += isCpu ? device.processors : 0;
    }
    return std::max(
        2, config.device == "cpu" || gpus == 0 ? std::min(processors, kMostUseful) : gpus);
}

QLayout* fieldOf(const QString& text, QWidget* input, const QString& toolTip)
{
    auto* const label = new QLabel(text);
    label->setBuddy(input);
    label->setToolTip(toolTip);
    input->setToolTip(toolTip);
    return rowOf({label, input, gap(12)});
}

} // namespace

ScalingDialog::ScalingDialog(QSettings& settings, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_introduction(selectableLabel()),
      m_towers(new QSpinBox), m_seconds(new QSpinBox), m_fix(new QComboBox),
      m_measure(new QPushButton(tr("&Measure"))), m_cancel(new QPushButton(tr("&Cancel"))),
      m_copy(new QPushButton(tr("C&opy"))), m_progress(new QProgressBar),
      m_state(selectableLabel()), m_view(new ScalingView)
{
    setWindowTitle(tr("Scaling Ruler"));
    setObjectName(QStringLiteral("scaling_dialog"));
    m_progress->setRange(0, kBarSteps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the measurement"));
    m_state->setAccessibleName(tr("State of the measurement"));
    columnIn(
        this, {18, 16, 18, 14}, 10,
        {m_introduction, makeFields(), m_progress, m_state, {m_view, 1}, space(0), makeButtons()});
    resize(760, 640);
    if (const auto kept = keptScaling(m_settings)) {
        m_view->setResult(*kept);
    }
    showState({});
}

QLayout* ScalingDialog::makeFields()
{
    m_towers->setObjectName(QStringLiteral("scaling_towers"));
    m_towers->setRange(2, kMostTowers);
    m_towers->setPrefix(tr("1 to ", "from one tower to the number that follows"));
    m_seconds->setObjectName(QStringLiteral("scaling_seconds"));
    m_seconds->setRange(1, kMostSeconds);
    m_seconds->setValue(qRound(ScalingPlan().seconds));
    m_seconds->setSuffix(tr(" s each"));
    m_fix->setObjectName(QStringLiteral("scaling_fix"));
    m_fix->addItem(tr("batch per tower"), static_cast<int>(ScalingFix::BatchPerTower));
    m_fix->addItem(tr("global batch"), static_cast<int>(ScalingFix::GlobalBatch));
    auto* const towers = fieldOf(tr("&Towers"), m_towers, tr("Every number of towers is measured"));
    auto* const time = fieldOf(
        tr("T&ime"), m_seconds,
        tr("Seconds of steps for each number of towers, in three turns; starting and warming up "
           "come on top"));
    auto* const fix = fieldOf(
        tr("&Keep"), m_fix,
        tr("What stays the same with more towers. Batch per tower: steps get larger. Global batch: "
           "each tower gets less to do; numbers of towers that it can't be split evenly among are "
           "left out"));
    return rowOf({towers, time, fix, space(), m_measure, m_cancel});
}

QLayout* ScalingDialog::makeButtons()
{
    m_measure->setObjectName(QStringLiteral("measure"));
    m_measure->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_copy->setObjectName(QStringLiteral("copy"));
    m_copy->setIcon(icon(IconName::Copy));
    m_copy->setToolTip(tr("Copies the result as text"));
    auto* const close = new QPushButton(tr("C&lose"));
    connect(m_measure, &QPushButton::clicked, this, &ScalingDialog::measure);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_work.cancel();
        showState(tr("Cancelling…"));
    });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [this] { m_work.cancel(); });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_view->toPlainText());
    });
    return rowOf({m_copy, space(), close});
}

void ScalingDialog::setUp(const RunConfig& config, const std::vector<DeviceRow>& devices)
{
    m_config = config;
    m_introduction->setText(
        tr("Trains %1 for a few seconds with 1, 2, … towers, on generated data and with the "
           "device, precision and batch that are set up, and shows what more towers bring.")
            .arg(QString::fromStdString(config.model.name)));
    // What a person chose here stays as long as it would not have been proposed otherwise.
    const int towers = usefulTowersOf(config, devices);
    if (std::exchange(m_usefulTowers, towers) != towers) {
        m_towers->setValue(towers);
    }
    const bool isGlobal = config.globalBatch && !config.batchPerTower;
    if (std::exchange(m_isGlobal, isGlobal) != isGlobal) {
        m_fix->setCurrentIndex(isGlobal ? 1 : 0);
    }
}

void ScalingDialog::setTraining(bool isTraining)
{
    if (std::exchange(m_isTraining, isTraining) != isTraining) {
        if (isTraining) {
            m_work.cancel();
        }
        showState({});
    }
}

void ScalingDialog::measure()
{
    if (m_isTraining || isMeasuring()) {
        return;
    }
    ScalingSettings settings;
    settings.plan.seconds = m_seconds->value();
    settings.plan.towers.resize(static_cast<std::size_t>(m_towers->value()));
    std::iota(settings.plan.towers.begin(), settings.plan.towers.end(), 1);
    settings.fix = static_cast<ScalingFix>(m_fix->currentData().toInt());
    m_progress->setValue(0);
    m_work.start(
        [this, config = m_config, settings]() -> std::function<void()> {
            m_work.report([this, load = loadOfProcessors()] { m_others = othersText(load); });
            QElapsedTimer sinceReported;
            const auto watcher = [&](double share, int towers) {
                if (!sinceReported.isValid()
                    || sinceReported.hasExpired(kMillisecondsBetweenReports)) {
                    sinceReported.start();
                    m_work.report([this, share, towers] { onProgress(share, towers); });
                }
                return !m_work.isCancelled();
            };
            return [this, report = runScaling(config, settings, watcher)] {
                const KeptScaling result{report, QDateTime::currentDateTime()};
                keepScaling(m_settings, result);
                m_view->setResult(result);
                showState(m_others.trimmed());
            };
        },
        [this](const QString& text, bool isCancelled) {
            showState(isCancelled ? tr("Cancelled; nothing was kept.") : text);
        });
    showState(tr("Preparing…"));
}

void ScalingDialog::onProgress(double share, int towers)
{
    m_progress->setValue(qRound(kBarSteps * share));
    m_state->setText(
        (towers == 1 ? tr("Measuring 1 tower…")
                     : tr("Measuring %1 towers…").arg(QLocale().toString(towers)))
        + m_others);
}

/// What can be done now, and one line about it; none: why nothing can, where that is so.
void ScalingDialog::showState(const QString& text)
{
    const bool isBusy = isMeasuring();
    m_measure->setEnabled(!isBusy && !m_isTraining);
    m_cancel->setEnabled(isBusy);
    m_progress->setVisible(isBusy);
    m_copy->setEnabled(m_view->hasResult());
    m_view->setVisible(m_view->hasResult());
    m_state->setText(
        m_isTraining && text.isEmpty()
            ? tr("A run is being trained on this computer: it and the ruler would slow each "
                 "other down. Stop it first.")
            : text);
    m_state->setVisible(!m_state->text().isEmpty());
    for (QWidget* const input : std::initializer_list<QWidget*>{m_towers, m_seconds, m_fix}) {
        input->setEnabled(!isBusy);
    }
}

} // namespace lockstep::ui
