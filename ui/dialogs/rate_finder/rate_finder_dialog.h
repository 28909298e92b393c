// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/run.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;

namespace lockstep::ui {

class LinePlot;

/// "Find Learning Rate": tries rates on a training of its own and draws the cross-entropy over
/// them. Not modal; closed, it cancels, and the curve stays. Works only while nothing else is
/// trained, since both would slow each other down.
class RateFinderDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RateFinderDialog(QWidget* parent = nullptr);

    /// What is tried. The search for another run is cancelled, and what was found for that goes;
    /// the rate makes no other.
    void setUp(const RunConfig& config);
    /// While this computer trains the run that is shown, trying is refused, and what is set up is
    /// not to be changed; what is under way is cancelled.
    void setTraining(bool isTraining);
    [[nodiscard]] bool isTrying() const { return m_work.isRunning(); }
    /// What is suggested for the run that is set up; 0: no rate trains it. None: it was not tried.
    [[nodiscard]] std::optional<double> found() const { return m_found; }

public slots:
    void tryRates();

signals:
    /// The suggested rate shall be that of the run that is set up.
    void rateTaken(double rate);
    /// What found() says.
    void foundChanged();

private:
    void setFound(std::optional<double> rate);
    void showFinding(const RateFinding& finding);
    void showState(const QString& text);

    RunConfig m_config;
    bool m_isTraining = false;
    std::optional<double> m_found; ///< see found()
    LinePlot* m_chart;
    QLabel* m_state;
    QPushButton* m_try;
    QPushButton* m_cancel;
    QPushButton* m_take;
    CancellableWork m_work{*this}; ///< its end waits for a step at most
};

} // namespace lockstep::ui
