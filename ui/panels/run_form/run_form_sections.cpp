// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config.h"
#include "panels/run_form/batch_link.h"
#include "panels/run_form/device_editor.h"
#include "panels/run_form/form_parts.h"
#include "panels/run_form/run_form.h"
#include "panels/training_plan/phase_editor.h"
#include "panels/training_plan/plan_parts.h"
#include "theme/icons.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <string>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kSectionMargin = 8;
constexpr int kSectionSpacing = 8;

} // namespace

RunForm::RunForm(QWidget* parent)
    : QWidget(parent), m_hint(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_problem(new ProblemLabel(this)), m_start(new StartLine(this)),
      m_experiment(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_getCifar10(new QPushButton(icon(IconName::Download), tr("Get CIFAR-10…"), this)),
      m_rows(columnIn(
          this, {kSectionMargin, kSectionMargin, kSectionMargin, kSectionMargin}, 0,
          {m_hint, m_start})),
      m_memory(
          *this, memoryNote,
          [this](const RunConfig& /*config*/, const std::shared_ptr<const MemoryNote>& note) {
              field("batch_per_tower")
                  ->setNote(note->text, note->isTooMuch ? Judgement::Doubtful : Judgement::None);
          })
{
    m_experiment->setObjectName(QStringLiteral("form_experiment"));
    m_hint->setContentsMargins(0, 0, 0, kSectionMargin);
    connect(m_start, &StartLine::cleared, this, &RunForm::startCleared);
    addSections();
    addMore();
    for (QWidget* const note : std::initializer_list<QWidget*>{m_problem, m_experiment}) {
        note->setContentsMargins(0, kSectionMargin, 0, 0);
        m_rows->addWidget(note); // at the end: they move nothing when they come
    }
    m_rows->addStretch(1);
    m_batch = new BatchLink(field("towers"), field("batch_per_tower"), field("global_batch"), this);
    listen();
    setDevices(std::nullopt);
    align();
}

QSize RunForm::minimumSizeHint() const
{
    const int width = m_options->minimumSizeHint().width() + 2 * kSectionMargin;
    return QWidget::minimumSizeHint().expandedTo({width, 0});
}

void RunForm::addSections()
{
    addHeading(tr("What"));
    addFields({"model.name", "dataset.name", "dataset.path"});
    field("dataset.name")->setLabelAbove();
    m_getCifar10->setObjectName(QStringLiteral("get_cifar10"));
    m_getCifar10->setToolTip(tr("Download CIFAR-10 (162 MiB) and check it"));
    m_getCifar10->hide();
    connect(m_getCifar10, &QPushButton::clicked, this, &RunForm::getCifar10Requested);
    field("dataset.path")->addBelow(m_getCifar10);
    addHeading(tr("Towers"));
    addFields({"towers", "device", "batch_per_tower", "global_batch"});
    m_device = static_cast<DeviceEditor*>(field("device")->editor());
    field("device")->addBelow(m_device->list());
    connect(m_device->list(), &GpuList::figuresWanted, this, &RunForm::devicesWanted);
    addHeading(tr("Training"));
    addFields({"steps", "phase"});
    addPhases();
    addFields({"learning_rate.initial"});
    addRatePreview();
    addFields({"seed", "precision"});
    addHeading(tr("Checkpoints and evaluation"));
    addFields({"checkpoint.every_steps", "checkpoint.keep", "evaluate.every_steps"});
}

void RunForm::addHeading(const QString& title)
{
    if (m_rows->count() > 2) { // not the first
        m_rows->addSpacing(kSectionSpacing);
    }
    m_rows->addWidget(headingLabel(title));
}

void RunForm::addFields(std::initializer_list<const char*> keys)
{
    const auto known = configKeys(RunConfig());
    for (const char* const name : keys) {
        const auto key = std::ranges::find(known, std::string(name), &ConfigKey::name);
        m_fields.push_back(makeRunField(*key, this));
        m_rows->addWidget(m_fields.back());
    }
}

void RunForm::addRatePreview()
{
    FormField* const rate = field("learning_rate.initial");
    m_takeRate = new QToolButton(rate);
    m_takeRate->setObjectName(QStringLiteral("take_hinted_rate"));
    m_takeRate->setAccessibleName(tr("Use the suggested learning rate"));
    m_takeRate->hide();
    rate->editor()->addButton(m_takeRate);
    connect(m_takeRate, &QToolButton::clicked, this, [this, rate] {
        rate->editor()->setText(QString::number(m_hintedRate, 'g', QLocale::FloatingPointShortest));
        emit edited();
    });
    m_schedule = new SchedulePreview(rate);
    rate->addBelow(m_schedule);
}

/// Who changes the steps of a phase means the run to be as long as all of them; who changes
/// something else of it may have cut or extended the last ones on purpose.
void RunForm::addPhases()
{
    m_phases = static_cast<PhaseEditor*>(field("phase")->editor());
    field("phase")->addBelow(m_phases->table());
    connect(m_phases, &PhaseEditor::edited, this, [this] {
        const qint64 before = std::exchange(m_phaseSteps, m_phases->steps().value_or(m_phaseSteps));
        if (m_phaseSteps != before && m_phaseSteps > 0) {
            field("steps")->editor()->setText(QString::number(m_phaseSteps));
        }
    });
}

void RunForm::addMore()
{
    m_rows->addSpacing(kSectionSpacing);
    m_more = new Disclosure(tr("More opt&ions"), this);
    m_rows->addWidget(m_more);
    m_options = new OptionList(m_more);
    m_more->body()->addWidget(m_options);
    std::vector<ConfigKey> keys = configKeys(RunConfig());
    keys.push_back({kRunFolderKey, {}, {}});
    std::erase_if(keys, [this](const ConfigKey& key) { return field(key.name.c_str()); });
    std::ranges::stable_sort(
        keys, {}, [](const ConfigKey& key) { return OptionList::groupOf(key.name); });
    for (const ConfigKey& key : keys) { // in the order of the tab key
        m_fields.push_back(makeRunField(key, this));
        m_options->add(m_fields.back());
    }
}

/// What was chosen about another model means nothing to this one. The field tells of an edit, too,
/// when it asks for a file and the question is cancelled.
void RunForm::takeModel()
{
    const QString name = field("model.name")->editor()->text();
    if (std::exchange(m_model, name) == name) {
        return;
    }
    for (const ConfigKey& key : configKeys(RunConfig())) {
        if (key.name.starts_with("model.") && key.name != "model.name") {
            field(key.name.c_str())->editor()->setText(plainValue(key));
        }
    }
}

void RunForm::listen()
{
    connect(field("model.name")->editor(), &FieldEditor::edited, this, &RunForm::takeModel);
    connect(m_batch, &BatchLink::edited, this, &RunForm::edited);
    for (const FormField* each : m_fields) {
        // Of the batch's two fields one has to follow the other first.
        if (!m_batch->isBatch(each)) {
            connect(each->editor(), &FieldEditor::edited, this, &RunForm::edited);
        }
    }
}

/// Those at the top and those below in a column each.
void RunForm::align()
{
    for (const bool isInMore : {false, true}) {
        int width = 0;
        for (const FormField* field : m_fields) {
            width = std::max(width, isMore(field) == isInMore ? field->labelWidth() : 0);
        }
        for (FormField* field : m_fields) {
            if (isMore(field) == isInMore) {
                field->setLabelWidth(width);
            }
        }
    }
}

} // namespace lockstep::ui
