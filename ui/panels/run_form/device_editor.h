// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/run_form/gpu_list.h"
#include "panels/shared/run_choices.h"
#include "widgets/forms/value_editors.h"

#include <map>
#include <string>

namespace lockstep::ui {

/// Where the towers go: automatic, the CPU, or GPUs that are ticked in a list; speaks the text of
/// the key "device". With "auto" and "cuda" the list shows which GPUs are taken, and the first
/// change there names them. Where there is none at all, there is no list.
class DeviceEditor : public ChoiceEditor
{
    Q_OBJECT

public:
    explicit DeviceEditor(QWidget* parent = nullptr);

    /// The GPUs, to be put under the field.
    [[nodiscard]] GpuList* list() const { return m_list; }
    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;

    void setDevices(const FoundDevices& devices);
    /// As many as there are to be dealt out.
    void setTowers(int towers);
    /// What the devices of the run that goes on were, by name; see devicesOfRun().
    void setBefore(std::map<std::string, std::string> before);

private:
    [[nodiscard]] QStringList chosen() const;
    void choose(const QString& gpu, bool isChosen);
    void showChosen();

    FoundDevices m_devices;
    std::map<std::string, std::string> m_before;
    QString m_gpus = QStringLiteral("cuda"); ///< the text while GPUs are chosen
    int m_towers = 1;
    GpuList* m_list;
};

} // namespace lockstep::ui
