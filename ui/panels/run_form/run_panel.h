// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/batch_preview.h"
#include "bridge/validation/run_validation.h"
#include "engine/machines.h"
#include "engine/run.h"
#include "models/figures/device_model.h"
#include "panels/shared/panel.h"

#include <QList>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ui {

class RunForm;

/// The left dock: sets up a run and says, while someone types, what is wrong with it. Emits nothing
/// while it is being made. GUI thread.
class RunPanel : public Panel
{
    Q_OBJECT

public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// Fills every field; emits requestChanged() once.
    void setRequest(const lockstep::RunRequest& request);
    /// Exactly what the fields say. A field that can't be read, which is a problem(), counts as the
    /// last request that was set has it. While a run is shown: the person's own request.
    [[nodiscard]] lockstep::RunRequest request() const;

    /// No problem. Checks at once what waits to be checked.
    [[nodiscard]] bool isReady() { return problem().isEmpty(); }
    /// The first problem in words, for Start's tool tip and the status bar; empty if ready.
    [[nodiscard]] QString problem();

    /// That a run of request() begins at, as it was checked last: later than 0 where it goes on.
    [[nodiscard]] std::int64_t firstStep() const noexcept { return m_firstStep; }

    /// While nothing can be set up beside the run that is shown: the fields show its configuration,
    /// as the engine resolved it, and can't be changed. Afterwards the person's own request is
    /// back. Neither changes request().
    void showRunning(const lockstep::RunConfig& config);
    void showEditable();
    /// From now on, although a run is shown, the fields set up the next one, and say so; they keep
    /// it when that run has ended.
    void showNext();
    [[nodiscard]] bool isNext() const noexcept { return m_isNext; }

    /// What a run of request() takes, under its steps. `isTooMuch`: for this computer.
    void showExpectation(const QString& text, bool isTooMuch = false);

    /// Puts the keyboard into the field of a setting.
    void goTo(const QString& key);

    /// Looks again for data sets and tries devices anew.
    void refresh();
    /// Runs are set up for another machine, of which this is known, or for this one again.
    void setMachine(const std::optional<lockstep::RemoteFacts>& machine);
    /// What this machine has; until then the panel says that it is looking.
    void setDevices(const std::vector<DeviceRow>& devices);
    /// The learning rate that was found for the run that is set up; see rateHint().
    void setFoundRate(std::optional<double> rate);

    [[nodiscard]] QSize sizeHint() const override { return {300, 700}; }

signals:
    void requestChanged();
    /// The next run is to be set up.
    void nextShown();
    /// The fields were checked, a moment after an edit: problem() may have changed.
    void checked();
    void getCifar10Requested();
    /// Now and then while the list of GPUs is in sight: setDevices() shall tell what they do.
    void devicesWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitWidth();
    void check();
    RunFindings findings(const RunRequest& request, QList<ConfigProblem> unreadable);
    void askForData(const RunConfig& config);
    void onStartCleared();
    /// The person's own request, under a line about it where it is of the next run.
    void edit();
    /// A run's settings are to be read although they can't be changed: disabled text is not pale.
    void colour();

    RunForm* m_form;
    std::vector<DeviceRow> m_devices; ///< of this machine
    RunRequest m_request; ///< the last that was set; while a run is shown, the person's own
    QTimer m_soon;
    BatchPreview m_data;                      ///< looks at a person's own files
    std::optional<DatasetRequest> m_askedFor; ///< of them
    std::optional<RemoteFacts> m_machine;
    RunValidator m_validator;
    QString m_problem;
    std::int64_t m_firstStep = 0;
    bool m_isRunning = false;
    bool m_isNext = false;
};

} // namespace lockstep::ui
