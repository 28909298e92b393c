// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"
#include "panels/shared/run_choices.h"
#include "widgets/forms/value_editors.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QVBoxLayout;

namespace lockstep::ui {

class GpuLine;

/// The GPUs of this machine with a box each, and those that are chosen but gone.
class GpuList : public QWidget
{
    Q_OBJECT

public:
    /// The keyboard gets to the boxes after this input.
    GpuList(QWidget& input, QWidget* parent);

    /// The GPUs among the devices; what is chosen stays.
    void setDevices(const std::vector<DeviceRow>& devices);
    /// Whether there is no GPU among them, not even one that can't be used.
    [[nodiscard]] bool isEmpty() const { return m_gpus.empty(); }
    /// By name.
    void setChosen(const QStringList& names);
    /// What the devices of the run that goes on were, by name, for those that are gone; see
    /// devicesOfRun().
    void setBefore(const std::map<std::string, std::string>& before);

signals:
    void toggled(const QString& name, bool isChosen);
    /// What the GPUs do now is in sight.
    void figuresWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void arrange();

    std::vector<DeviceRow> m_gpus;
    QStringList m_chosen;
    std::map<std::string, std::string> m_before;
    std::vector<GpuLine*> m_lines;
    QVBoxLayout* m_rows;
    QWidget& m_input;
    QTimer m_look;
};

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

private:
    [[nodiscard]] QStringList chosen() const;
    void choose(const QString& gpu, bool isChosen);
    void showChosen();

    FoundDevices m_devices;
    QString m_gpus = QStringLiteral("cuda"); ///< the text while GPUs are chosen
    int m_towers = 1;
    GpuList* m_list;
};

} // namespace lockstep::ui
