// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/device_editor.h"

#include "engine/device.h"

#include <QComboBox>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr QLatin1String kCuda("cuda");
constexpr QLatin1String kGpu("cuda:");

int numberOf(const QString& gpu)
{
    return gpu.mid(kGpu.size()).toInt();
}

} // namespace

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

void DeviceEditor::setBefore(std::map<std::string, std::string> before)
{
    m_before = std::move(before);
    showChosen();
}

QStringList DeviceEditor::chosen() const
{
    QStringList names;
    for (const std::string& name :
         devicesFor(text().toStdString(), m_towers, usableGpus(m_devices))) {
        names.append(QString::fromStdString(name));
    }
    names.removeAll(QStringLiteral("cpu")); // what automatic comes to without GPUs
    return names;
}

void DeviceEditor::showChosen()
{
    m_list->setVisible(text() != QStringLiteral("cpu") && !m_list->isEmpty());
    m_list->setChosen(chosen(), m_before);
}

/// Keeps the order of those that are chosen, which is that of the towers.
void DeviceEditor::choose(const QString& gpu, bool isChosen)
{
    QStringList names = chosen();
    names.removeAll(gpu);
    if (isChosen) {
        const auto next = std::find_if(names.begin(), names.end(), [&](const QString& name) {
            return numberOf(name) > numberOf(gpu);
        });
        names.insert(next, gpu);
    }
    QStringList numbers;
    for (const QString& name : names) {
        numbers.append(name.mid(kGpu.size()));
    }
    setText(kGpu + numbers.join(QLatin1Char(',')));
    emit edited();
}

} // namespace lockstep::ui
