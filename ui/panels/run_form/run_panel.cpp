// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_panel.h"

#include "bridge/readers/device_history.h"
#include "panels/run_form/run_form.h"
#include "theme/palette.h"
#include "widgets/forms/layouts.h"

#include <QEvent>
#include <QScrollArea>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kLeastWidth = 250;
constexpr int kPauseMilliseconds = 100; ///< after an edit, so that typing never stutters

bool isReported(const QList<ConfigProblem>& problems, const QString& key)
{
    return std::ranges::find(problems, key, &ConfigProblem::key) != problems.end();
}

} // namespace

RunPanel::RunPanel(QWidget* parent) : Panel(parent), m_form(new RunForm(this))
{
    auto* const scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_form);
    columnIn(this, {}, 0, {scroll});
    fitWidth();
    colour();
    connect(m_form, &RunForm::edited, &m_soon, qOverload<>(&QTimer::start));
    connect(m_form, &RunForm::edited, this, &RunPanel::requestChanged);
    connect(m_form, &RunForm::startCleared, this, &RunPanel::onStartCleared);
    connect(m_form, &RunForm::devicesWanted, this, &RunPanel::devicesWanted);
    connect(m_form, &RunForm::getCifar10Requested, this, &RunPanel::getCifar10Requested);
    connect(&m_data, &BatchPreview::counted, m_form, &RunForm::showData);
    m_form->fill(m_request);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kPauseMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &RunPanel::check);
    check();
}

/// Some languages need more than English does, and large text more than small.
void RunPanel::fitWidth()
{
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    setMinimumWidth(std::max(kLeastWidth, m_form->minimumSizeHint().width() + bar));
}

void RunPanel::goTo(const QString& key)
{
    if (auto* const input = m_form->findChild<QWidget*>(key)) {
        input->setFocus(Qt::ShortcutFocusReason);
    }
}

void RunPanel::setRequest(const RunRequest& request)
{
    m_request = request;
    if (!m_isRunning) {
        edit();
    }
    emit requestChanged();
}

RunRequest RunPanel::request() const
{
    RunRequest request = m_request;
    if (!m_isRunning) {
        m_form->read(request);
    }
    return request;
}

QString RunPanel::problem()
{
    if (m_soon.isActive()) {
        check();
    }
    return m_problem;
}

void RunPanel::check()
{
    m_soon.stop();
    RunRequest request = m_request;
    const auto unreadable = m_form->read(request);
    const auto [found, initial, firstStep] = findings(request, unreadable);
    m_firstStep = firstStep;
    m_form->showProblems(found);
    m_form->showFacts(request.config, initial);
    m_problem = found.isEmpty() ? QString() : m_form->inWords(found.front());
    askForData(request.config);
    emit checked();
}

/// What was understood of a person's own files is told beside their folder, once for each setting
/// that it depends on.
void RunPanel::askForData(const RunConfig& config)
{
    std::optional<DatasetRequest> wanted;
    // Records are read whole to tell what they hold, which may be a hundred gigabytes.
    const bool isQuick = isOfUse(config, "dataset.test_on") && !isOfUse(config, "dataset.pattern");
    if (m_problem.isEmpty() && !m_machine && isQuick) {
        wanted = PreviewData::requestFor(config);
    }
    if (wanted == m_askedFor) {
        return;
    }
    m_askedFor = wanted;
    m_data.abandon();
    m_form->showData({});
    if (wanted) {
        m_data.request(BalanceRequest{config, true});
    }
}

RunFindings RunPanel::findings(const RunRequest& request, QList<ConfigProblem> unreadable)
{
    const RunFindings checked = m_validator.check(request);
    QList<ConfigProblem> found = std::move(unreadable);
    for (const ConfigProblem& problem : checked.problems) {
        if (!isReported(found, problem.key)) {
            found.append(problem);
        }
    }
    // The engine takes it, but whoever presses Start wants more than a run that ends at once.
    const QString steps = QStringLiteral("steps");
    if (request.config.steps == 0 && !isReported(found, steps)) {
        found.append({steps, tr("steps is 0, but must be at least 1")});
    }
    return {found, checked.initial, checked.firstStep};
}

void RunPanel::showRunning(const RunConfig& config)
{
    if (m_isNext) {
        return;
    }
    m_request = request();
    m_isRunning = true;
    m_soon.stop();
    RunRequest shown = m_request;
    shown.config = config;
    m_form->fill(shown);
    m_form->setEnabled(false);
    m_form->showFacts(config, {}); // what it took over is in the log
    m_form->showProblems({});
    m_form->setHint(tr("The settings of the run that is shown."));
}

/// Somebody may be typing: what is below the hint of the next run stays where it is.
void RunPanel::showEditable()
{
    if (std::exchange(m_isNext, false)) {
        m_form->leaveHint();
    } else if (std::exchange(m_isRunning, false)) {
        edit();
    }
}

void RunPanel::showNext()
{
    if (std::exchange(m_isRunning, false)) {
        m_isNext = true;
        edit();
    }
    emit nextShown();
}

void RunPanel::edit()
{
    m_form->setEnabled(true);
    m_form->setHint(
        m_isNext ? tr("Next run: start it when the one that trains has ended, or stop that first.")
                 : QString());
    m_form->fill(m_request);
    check();
}

void RunPanel::showExpectation(const QString& text, bool isTooMuch)
{
    m_form->showExpectation(text, isTooMuch);
}

void RunPanel::refresh()
{
    m_validator = RunValidator(m_machine); // forgets what was found of devices
    m_askedFor.reset();
    if (!m_isRunning) {
        check();
    }
}

void RunPanel::setMachine(const std::optional<RemoteFacts>& machine)
{
    m_machine = machine;
    m_form->setMachine(machine);
    m_form->setDevices(machine ? deviceRows(machine->devices) : m_devices);
    refresh(); // nothing of another machine's devices is known to be the same
}

void RunPanel::setDevices(const std::vector<DeviceRow>& devices)
{
    const auto before = std::exchange(m_devices, devices);
    if (m_machine) {
        return;
    }
    const auto isSame = [](const DeviceRow& a, const DeviceRow& b) {
        return a.name == b.name && a.isAvailable == b.isAvailable && a.reason == b.reason;
    };
    m_form->setDevices(devices);
    if (!std::ranges::equal(devices, before, isSame)) { // else only what they do has changed
        refresh();
    }
}

void RunPanel::setFoundRate(std::optional<double> rate)
{
    m_form->setFoundRate(rate);
    if (!m_isRunning) {
        check();
    }
}

void RunPanel::onStartCleared()
{
    RunRequest fresh = request();
    if (fresh.isResume) { // a run is there: a new one needs a place of its own
        fresh.folder.clear();
    }
    fresh.isResume = false;
    fresh.checkpoint.reset();
    fresh.config.initialWeights = {};
    setRequest(fresh);
}

void RunPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        colour();
    } else if (event->type() == QEvent::FontChange) {
        fitWidth();
    }
    QWidget::changeEvent(event);
}

void RunPanel::colour()
{
    QPalette pale;
    const QColor muted = themeColors(palette()).mutedText;
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        pale.setColor(QPalette::Disabled, role, muted);
    }
    m_form->setPalette(pale);
}

} // namespace lockstep::ui
