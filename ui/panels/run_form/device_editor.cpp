// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/device_editor.h"

#include "engine/device.h"
#include "panels/shared/run_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLocale>
#include <QSignalBlocker>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kLookMilliseconds = 2000;
constexpr int kLineGap = 5;
constexpr QLatin1String kCuda("cuda");
constexpr QLatin1String kGpu("cuda:");

/// The number in "cuda:3".
QString digitsOf(const QString& name)
{
    return name.section(QLatin1Char(':'), 1);
}

/// "NVIDIA H100" of "NVIDIA H100, compute 9.0".
QString shortName(const QString& description)
{
    return description.section(QStringLiteral(", compute"), 0, 0);
}

} // namespace

/// One GPU to choose: number and name; free memory and load; who uses it, or why it can't be used.
class GpuLine : public QWidget
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::GpuLine)

public:
    /// `name` as in the key "device": "cuda:0".
    GpuLine(const QString& name, QWidget* parent)
        : QWidget(parent), m_name(name), m_box(new QCheckBox(this)),
          m_facts(new NoteLabel(NoteLabel::Tone::Muted, this))
    {
        m_box->setObjectName(QStringLiteral("device.") + name);
        m_box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        const int indent = style()->pixelMetric(QStyle::PM_IndicatorWidth)
                           + style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing);
        m_facts->setContentsMargins(indent, 0, 0, 0);
        columnIn(this, {}, 0, {m_box, m_facts});
    }

    [[nodiscard]] QString name() const { return m_name; }
    [[nodiscard]] QCheckBox* box() const { return m_box; }

    void showGpu(const DeviceRow& gpu)
    {
        const QLocale locale;
        m_isUsable = gpu.isAvailable;
        QStringList figures;
        if (gpu.freeBytes >= 0) {
            figures.append(tr("%1 of %2 free")
                               .arg(
                                   locale.formattedDataSize(gpu.freeBytes, 1),
                                   locale.formattedDataSize(gpu.memoryBytes, 1)));
        }
        if (gpu.load >= 0.0) {
            figures.append(tr("load %1 %").arg(locale.toString(qRound(100.0 * gpu.load))));
        }
        describe(
            shortName(gpu.description), gpu.description,
            {figures.join(QStringLiteral(" · ")),
             gpu.programs.join(tr(", ", "between the items of a list")),
             gpu.isAvailable ? QString() : gpu.reason});
    }

    /// It is chosen, but not on this machine; `before`: what it was, if that is known.
    void showGone(const QString& before)
    {
        m_isUsable = false;
        describe(
            before.isEmpty() ? tr("GPU") : shortName(before), QString(),
            {tr("not there any more")});
    }

    void setChosen(bool isChosen)
    {
        const QSignalBlocker isNotToggled(m_box);
        m_box->setChecked(isChosen);
        enable();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QWidget::resizeEvent(event);
        elide();
    }

private:
    void describe(const QString& title, const QString& description, QStringList facts)
    {
        facts.removeAll(QString());
        m_facts->setNote(
            facts.join(QLatin1Char('\n')).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")));
        m_title = QStringLiteral("%1  %2").arg(digitsOf(m_name), title);
        m_box->setAccessibleName(tr("GPU %1, %2").arg(digitsOf(m_name), title));
        facts.prepend(description);
        facts.removeAll(QString());
        const QString text = facts.join(QLatin1Char('\n'));
        m_box->setAccessibleDescription(text);
        m_box->setToolTip(text);
        setToolTip(text);
        enable();
        elide();
    }

    /// What can't be used can still be left out.
    void enable() { m_box->setEnabled(m_isUsable || m_box->isChecked()); }

    void elide()
    {
        const int room = width() - m_facts->contentsMargins().left() - 2;
        m_box->setText(m_box->fontMetrics().elidedText(m_title, Qt::ElideRight, std::max(room, 0)));
    }

    QString m_name;
    QString m_title;
    bool m_isUsable = true;
    QCheckBox* m_box;
    NoteLabel* m_facts;
};

GpuList::GpuList(QWidget& input, QWidget* parent)
    : QWidget(parent), m_rows(columnIn(this, {0, 2, 0, kLineGap}, kLineGap, {})), m_input(input)
{
    m_look.setInterval(kLookMilliseconds);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (isEnabled() && !visibleRegion().isEmpty()) {
            emit figuresWanted();
        }
    });
}

void GpuList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_look.start();
}

void GpuList::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_look.stop();
}

void GpuList::setDevices(const std::vector<DeviceRow>& devices)
{
    m_gpus = devices;
    std::erase_if(m_gpus, [](const DeviceRow& device) { return !device.name.startsWith(kGpu); });
    arrange();
}

void GpuList::setChosen(const QStringList& names)
{
    m_chosen = names;
    arrange();
}

void GpuList::setBefore(const std::map<std::string, std::string>& before)
{
    m_before = before;
    arrange();
}

/// Lines that stay are the same widgets, so that the keyboard stays where it is.
void GpuList::arrange()
{
    QStringList names;
    for (const DeviceRow& gpu : m_gpus) {
        names.append(gpu.name);
    }
    for (const QString& name : m_chosen) {
        if (!names.contains(name)) {
            names.append(name);
        }
    }
    std::vector<GpuLine*> lines;
    for (const QString& name : names) {
        const auto known = std::ranges::find(m_lines, name, &GpuLine::name);
        GpuLine* const line = known == m_lines.end() ? new GpuLine(name, this) : *known;
        if (known == m_lines.end()) {
            connect(line->box(), &QCheckBox::toggled, this, [this, name](bool isChosen) {
                emit toggled(name, isChosen);
            });
        }
        m_rows->insertWidget(static_cast<int>(lines.size()), line);
        const auto gpu = std::ranges::find(m_gpus, name, &DeviceRow::name);
        line->setChosen(m_chosen.contains(name));
        if (gpu != m_gpus.end()) {
            line->showGpu(*gpu);
        } else {
            const auto before = m_before.find(name.toStdString());
            line->showGone(
                before == m_before.end() ? QString() : QString::fromStdString(before->second));
        }
        lines.push_back(line);
    }
    for (GpuLine* const old : m_lines) {
        if (std::ranges::find(lines, old) == lines.end()) {
            old->hide();
            old->deleteLater();
        }
    }
    const bool areSame = lines == m_lines;
    m_lines = std::move(lines);
    QWidget* last = &m_input;
    for (GpuLine* const line : m_lines) {
        if (!areSame) {
            setTabOrder(last, line->box());
        }
        last = line->box();
    }
}

DeviceEditor::DeviceEditor(QWidget* parent)
    : ChoiceEditor(parent), m_list(new GpuList(*box(), this))
{
    m_list->hide();
    // Before who listens to the editor reads its text.
    connect(box(), &QComboBox::currentIndexChanged, this, &DeviceEditor::showChosen);
    connect(m_list, &GpuList::toggled, this, &DeviceEditor::choose);
}

QString DeviceEditor::text() const
{
    const QString choice = ChoiceEditor::text();
    return choice == kCuda ? m_gpus : choice;
}

void DeviceEditor::setText(const QString& text)
{
    const bool areGpus = text.startsWith(kCuda) && !usableGpus(m_devices).empty();
    m_gpus = areGpus ? text : QString(kCuda);
    // None ticked, and none to tick: no choice that was made.
    const bool isNone = !areGpus && text == kGpu;
    ChoiceEditor::setText(areGpus ? QString(kCuda) : isNone ? QStringLiteral("auto") : text);
    showChosen();
}

void DeviceEditor::setDevices(const FoundDevices& devices)
{
    const QString value = text();
    const QString gpus = m_gpus;
    m_devices = devices;
    m_list->setDevices(devices.value_or(std::vector<DeviceRow>()));
    setChoices(deviceChoices(devices));
    setText(value.isEmpty() ? QStringLiteral("auto") : value);
    m_gpus = ChoiceEditor::text() == kCuda ? m_gpus : gpus; // for when GPUs are chosen again
}

void DeviceEditor::setTowers(int towers)
{
    m_towers = std::max(towers, 1);
    showChosen();
}

QStringList DeviceEditor::chosen() const
{
    QStringList names = namesOf(devicesFor(text().toStdString(), m_towers, usableGpus(m_devices)));
    names.removeAll(QStringLiteral("cpu")); // what automatic comes to without GPUs
    return names;
}

void DeviceEditor::showChosen()
{
    m_list->setVisible(text() != QStringLiteral("cpu") && !m_list->isEmpty());
    m_list->setChosen(chosen());
}

/// Keeps the order of those that are chosen, which is that of the towers.
void DeviceEditor::choose(const QString& gpu, bool isChosen)
{
    QStringList names = chosen();
    names.removeAll(gpu);
    if (isChosen) {
        const auto next = std::ranges::find_if(names, [&](const QString& name) {
            return digitsOf(name).toInt() > digitsOf(gpu).toInt();
        });
        names.insert(next, gpu);
    }
    QStringList numbers;
    for (const QString& name : names) {
        numbers.append(digitsOf(name));
    }
    setText(kGpu + numbers.join(QLatin1Char(',')));
    emit edited();
}

} // namespace lockstep::ui
