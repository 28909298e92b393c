// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/scaling_store.h"
#include "engine/config.h"
#include "models/figures/device_model.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSettings;
class QSpinBox;

namespace lockstep::ui {

class ScalingView;

/// "Scaling Ruler": measures what more towers bring on this machine, with the model, device,
/// precision and batch that are set up, and shows the newest result. Not modal; closed, it cancels.
/// Measures only while the window trains nothing, since both would slow each other down.
class ScalingDialog : public QDialog
{
    Q_OBJECT

public:
    /// `settings` keep the result and must outlive the dialog.
    explicit ScalingDialog(QSettings& settings, QWidget* parent = nullptr);

    /// What is measured next; `devices` says how many towers are worth it.
    void setUp(const RunConfig& config, const std::vector<DeviceRow>& devices);
    /// While this computer trains the run that is shown, measuring is refused; one that is going on
    /// is cancelled.
    void setTraining(bool isTraining);
    [[nodiscard]] bool isMeasuring() const { return m_work.isRunning(); }

public slots:
    void measure();

private:
    [[nodiscard]] QLayout* makeFields();
    [[nodiscard]] QLayout* makeButtons();
    void onProgress(double share, int towers);
    void showState(const QString& text);

    QSettings& m_settings;
    RunConfig m_config;
    int m_usefulTowers = 0;  ///< what setUp() proposed last
    bool m_isGlobal = false; ///< likewise
    bool m_isTraining = false;
    QString m_others; ///< a word about other programs
    QLabel* m_introduction;
    QSpinBox* m_towers;
    QSpinBox* m_seconds;
    QComboBox* m_fix;
    QPushButton* m_measure;
    QPushButton* m_cancel;
    QPushButton* m_copy;
    QProgressBar* m_progress;
    QLabel* m_state;
    ScalingView* m_view;
    CancellableWork m_work{*this}; ///< its end waits for a step at most
};

} // namespace lockstep::ui
