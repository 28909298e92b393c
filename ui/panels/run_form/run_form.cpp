// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_form.h"

#include "bridge/base/file_names.h"
#include "engine/records.h"
#include "engine/run.h"
#include "models/engine_text.h"
#include "panels/preview/preview_parts.h"
#include "panels/run_form/batch_link.h"
#include "panels/run_form/device_editor.h"
#include "panels/run_form/form_parts.h"
#include "panels/shared/run_text.h"
#include "panels/training_plan/phase_editor.h"
#include "panels/training_plan/plan_parts.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/path_editor.h"

#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace lockstep::ui {
namespace {

constexpr int kMostLines = 4; // of a form, which has little room

/// "10 × 192".
QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList sizes;
    for (const std::int64_t size : shape) {
        sizes << QString::number(size);
    }
    return sizes.join(QStringLiteral(" × "));
}

QString reasonText(const InitialTensor& tensor)
{
    switch (tensor.kind) {
    case InitialTensorKind::OtherShape:
        return RunForm::tr("%1 here, %2 there")
            .arg(shapeText(tensor.shape), shapeText(tensor.shapeThere));
    case InitialTensorKind::Missing:
        return tensor.nameThere.empty() ? RunForm::tr("not in the file")
                                        : RunForm::tr("there of a type that is not read");
    case InitialTensorKind::Fresh:
        return RunForm::tr("fresh layer");
    case InitialTensorKind::Taken:
        break;
    }
    return {};
}

/// How much a run takes over of another training, and which tensors begin anew, a line each.
QString initialWeightsNote(const InitialWeights& initial)
{
    QStringList lines{(initial.weights == WeightsKind::Average
                           ? RunForm::tr("Takes %1 of %2 tensors, moving averages")
                           : RunForm::tr("Takes %1 of %2 tensors, raw weights"))
                          .arg(
                              countText(static_cast<qint64>(initial.taken())),
                              countText(std::ssize(initial.tensors)))};
    for (const InitialTensor& tensor : initial.tensors) {
        if (!tensor.isTaken()) {
            lines << RunForm::tr("Fresh: %1 (%2)")
                         .arg(QString::fromStdString(tensor.name), reasonText(tensor));
        }
    }
    const auto more = lines.size() - 1 - kMostLines;
    if (more > 0) {
        lines = lines.mid(0, 1 + kMostLines);
        lines << RunForm::tr("and %1 more; the log lists them all").arg(countText(more));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

FormField* RunForm::field(QAnyStringView key) const
{
    const auto found =
        std::ranges::find_if(m_fields, [&](const FormField* field) { return field->key() == key; });
    return found == m_fields.end() ? nullptr : *found;
}

bool RunForm::isMore(const FormField* field) const
{
    return m_more->isAncestorOf(field);
}

void RunForm::fill(const RunRequest& request)
{
    for (const ConfigKey& key : configKeys(request.config)) {
        if (!key.value.empty()) { // the batch, which may be given or not
            field(key.name.c_str())->editor()->setText(plainValue(key));
        }
    }
    m_device->list()->setBefore(
        request.isResume ? devicesOfRun(request.folder) : std::map<std::string, std::string>());
    m_phaseSteps = m_phases->steps().value_or(m_phaseSteps);
    m_model = field("model.name")->editor()->text();
    field(kRunFolderKey)->editor()->setText(toQString(request.folder));
    m_batch->fill(request.config);
    m_start->setRequest(request);
}

QList<ConfigProblem> RunForm::read(RunRequest& request) const
{
    QList<ConfigProblem> unreadable;
    request.config.batchPerTower.reset();
    request.config.globalBatch.reset();
    const auto take = [&](const FormField* field) {
        const QString text = field->editor()->text();
        if (field->key() == QLatin1String(kRunFolderKey)) {
            request.folder = toPath(text);
        } else if (m_batch->isGiven(field)) {
            try {
                setConfigValue(request.config, field->key().toStdString(), text.toStdString());
            } catch (const Error& error) {
                unreadable.append({field->key(), engineText(error.what())});
            }
        }
    };
    // Every field is read, which is not what a person asked for.
    const std::set<std::string> asked = request.config.asked;
    // Model and phases say how many steps there are; what is in their own field is the last word.
    const FormField* const steps = field("steps");
    for (const FormField* field : m_fields) {
        if (field != steps) {
            take(field);
        }
    }
    take(steps);
    request.config.asked = asked;
    return unreadable;
}

QList<SettingInWords> RunForm::settingsInWords(const RunConfig& config)
{
    RunForm form;
    form.setEnabled(false); // it plans nothing
    form.fill({});
    QStringList usual;
    for (const FormField* const field : form.m_fields) {
        usual.append(field->editor()->shownText());
    }
    form.fill({config, {}, false, std::nullopt});
    form.showFacts(config, {});
    QList<SettingInWords> settings;
    for (const FormField* const field : form.m_fields) {
        const QString before = usual.takeFirst();
        const FieldEditor& editor = *field->editor();
        const QString key = field->key();
        if (key == QLatin1String(kRunFolderKey)) {
            continue;
        }
        // Phases are a table, whose note says them in words; folders are nobody else's business.
        const QString text = key == QLatin1String("phase") ? field->note() : editor.shownText();
        const bool isNotable = !text.isEmpty() && (!form.isMore(field) || text != before)
                               && isOfUse(config, key.toStdString())
                               && key != QLatin1String("dataset.path");
        settings.append(
            {key, field->title(), editor.input()->toolTip(), text, editor.text(), isNotable});
    }
    return settings;
}

QString RunForm::inWords(const ConfigProblem& problem) const
{
    if (QString text = phaseProblem(problem.message); !text.isEmpty()) {
        return text;
    }
    const FormField* at = field(problem.key);
    return capitalised(
        at != nullptr && problem.message.startsWith(problem.key + QLatin1Char(' '))
            ? at->title() + problem.message.mid(problem.key.size())
            : problem.message);
}

void RunForm::showProblems(const QList<ConfigProblem>& problems)
{
    QHash<QString, QString> texts;
    QString general;
    for (const ConfigProblem& problem : problems) {
        const bool isOfField =
            field(problem.key) != nullptr || problem.key == QLatin1String(kCheckpointKey);
        QString& text = isOfField ? texts[problem.key] : general;
        text = text.isEmpty() ? inWords(problem) : text;
    }
    QString hidden;
    for (FormField* field : m_fields) {
        const QString text = texts.value(field->key());
        // What nobody has typed is missing, not wrong.
        field->setProblem(
            text,
            field->key() == QLatin1String("dataset.path") && field->editor()->text().isEmpty());
        hidden = hidden.isEmpty() && isMore(field) ? text : hidden;
    }
    m_more->setProblem(hidden);
    m_start->setProblem(texts.value(QLatin1String(kCheckpointKey)));
    m_problem->setProblem(general);
    m_getCifar10->setVisible(
        !m_machine && texts.contains(QStringLiteral("dataset.path"))
        && field("dataset.name")->editor()->text() == QStringLiteral("cifar10"));
}

void RunForm::showFacts(const RunConfig& config, const std::optional<InitialWeights>& initial)
{
    m_experiment->setNote(experimentText(config));
    m_start->setConfig(config);
    field("initial_weights.checkpoint")
        ->setNote(initial ? initialWeightsNote(*initial) : QString());
    auto* dataset = field("dataset.name");
    dataset->setNote(static_cast<const ChoiceEditor*>(dataset->editor())->description());
    auto* folder = field("dataset.path");
    static_cast<FolderEditor*>(folder->editor())
        ->setPlaceholder(datasetFolderPlaceholder(config.dataset, m_machine));
    folder->setVisible(isOfUse(config, "dataset.path"));
    m_options->setConfig(config);
    showPhases(config);

    m_device->setTowers(config.towers);
    const QString placement = placementLine(config, m_devices);
    const auto examples = trainingExamples(config);
    const QString arithmetic = batchArithmeticText(config, examples);
    if (!arithmetic.isEmpty()) {
        field("device")->setNote(placement);
        field("global_batch")->setNote(arithmetic);
        showRate(config);
        m_schedule->setConfig(config, examples);
        showMemory(config);
    } else {
        m_takeRate->hide();
    }
    field("device")->setNoteVoid(arithmetic.isEmpty());
    field("global_batch")->setNoteVoid(arithmetic.isEmpty());
    field("batch_per_tower")->setNoteVoid(arithmetic.isEmpty());
    field("learning_rate.initial")->setNoteVoid(arithmetic.isEmpty());
    m_schedule->setVoid(arithmetic.isEmpty());
}

void RunForm::showExpectation(const QString& text, bool isTooMuch)
{
    if (!text.isEmpty()) {
        field("steps")->setNote(text, isTooMuch ? Judgement::Doubtful : Judgement::None);
    }
    field("steps")->setNoteVoid(text.isEmpty());
}

/// Of this machine's GPUs; planning them takes a while, so the words come later.
void RunForm::showMemory(const RunConfig& config)
{
    if (m_machine || !isEnabled()) { // nor is it for a run that is shown, whose steps it would slow
        m_memoryAsked.clear();
        m_memory.forgetWaiting();
        field("batch_per_tower")->setNote({});
    } else if (const std::string asked = toToml(config); asked != m_memoryAsked) {
        m_memoryAsked = asked;
        m_memory.request(config);
    }
}

/// What is wrong with it, or else what to use instead.
void RunForm::showRate(const RunConfig& config)
{
    FormField* const field = this->field("learning_rate.initial");
    const auto hint = rateHint(config, m_foundRate);
    m_takeRate->setVisible(hint.has_value());
    if (hint) {
        m_hintedRate = hint->rate;
        const QString rate = rateText(hint->rate);
        m_takeRate->setText(tr("Use %1").arg(rate));
        m_takeRate->setAccessibleName(tr("Use the learning rate %1").arg(rate));
        m_takeRate->setToolTip(QStringLiteral("<qt>%1</qt>").arg(hint->source().toHtmlEscaped()));
    }
    if (const QString warning = rateWarning(config); !warning.isEmpty()) {
        field->setNote(warning, Judgement::Doubtful);
    } else {
        field->setNote(hint ? hint->text() : QString());
    }
}

/// Of the network with one objective that is built in there is nothing to choose.
void RunForm::showPhases(const RunConfig& config)
{
    FormField* const phases = field("phase");
    phases->setVisible(!config.phases.empty() || config.model.name != RunConfig().model.name);
    if (phases->isHidden()) {
        return m_phases->showUsual({});
    }
    m_phases->setChoices(phaseChoices(config));
    m_phases->showUsual(
        usualPhases(config.model.name).empty() ? std::vector<PhaseSettings>()
                                               : config.trainedPhases());
    m_phaseSteps = m_phases->steps().value_or(m_phaseSteps);
    phases->setNote(phaseNote(config));
}

void RunForm::setDevices(const FoundDevices& devices)
{
    m_devices = devices;
    field("towers")->setNote(devicesLine(devices));
    m_device->setDevices(devices);
    static_cast<ChoiceEditor*>(field("precision")->editor())->setChoices(precisionChoices(devices));
}

void RunForm::showData(const ClassBalance& balance)
{
    FormField* const folder = field("dataset.path");
    if (!balance.problem.isEmpty()) {
        folder->setNote(balance.problem, Judgement::Doubtful);
    } else {
        folder->setNote(
            balance.layout.isEmpty() ? QString()
                                     : capitalised(balance.layout) + u'\n' + balanceText(balance));
    }
}

void RunForm::setMachine(const std::optional<RemoteFacts>& machine)
{
    m_machine = machine;
    for (FolderEditor* const editor : findChildren<FolderEditor*>()) {
        editor->setBrowsable(!machine);
    }
    static_cast<FolderEditor*>(field(kRunFolderKey)->editor())
        ->setPlaceholder(runFolderPlaceholder(machine));
}

void RunForm::setHint(const QString& text)
{
    m_hint->setNote(text);
    m_hint->setVoid(false, false);
}

void RunForm::leaveHint()
{
    m_hint->setVoid(true, true);
}

} // namespace lockstep::ui
