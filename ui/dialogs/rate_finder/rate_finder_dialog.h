// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/run.h"

#include <QDialog>

#include <vector>

class QLabel;
class QPushButton;

namespace lockstep::ui {

class LinePlot;

/// "Find Learning Rate": tries rising rates on a training of its own and draws the loss over them.
/// Not modal. Works only while nothing else is trained, since both would slow each other down.
class RateFinderDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RateFinderDialog(QWidget* parent = nullptr);

    /// What is tried. A trial of another run is cancelled, and what was found for that goes; the
    /// initial rate makes no other.
    void setUp(const RunConfig& config);
    /// While this computer trains the run that is shown, trying is refused, and what is set up is
    /// not to be changed; what is under way is cancelled.
    void setTraining(bool isTraining);
    [[nodiscard]] bool isTrying() const { return m_work.isRunning(); }

public slots:
    void tryRates();
    /// Cancels and hides; the curve stays.
    void reject() override;

signals:
    /// The suggested rate shall be that of the run that is set up.
    void rateTaken(double rate);

private:
    void showTrials(const std::vector<RateTrial>& trials);
    void showState(const QString& text);

    RunConfig m_config;
    bool m_isTraining = false;
    double m_rate = 0.0; ///< suggested; 0: none
    LinePlot* m_chart;
    QLabel* m_state;
    QPushButton* m_try;
    QPushButton* m_cancel;
    QPushButton* m_take;
    CancellableWork m_work{*this}; ///< its end waits for a step at most
};

} // namespace lockstep::ui
