// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "bridge/session/session_controller.h"
#include "panels/shared/panel.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QStackedWidget;

namespace lockstep::ui {

class MaskLegend;
class MaskStrip;
class NoteLabel;

/// "Masks": what a network that predicts masks says of the images that its towers train on, step by
/// step. Asks the run for them only while someone can see it and "Live" is on.
class MasksPanel : public Panel
{
    Q_OBJECT

public:
    /// Both must outlive the panel.
    MasksPanel(SessionController& controller, LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {900, 260}; }

protected:
    void inSightChanged() override;

private:
    [[nodiscard]] QLayout* makeHead();
    void begin();
    void askForMasks();
    void take(const std::shared_ptr<const MaskRecord>& record);
    void showMasks();
    void showThreshold(int percent);

    SessionController& m_controller;
    LiveRun& m_run;
    RefreshTimer m_refresh;
    bool m_hasMasks = false;                    ///< the network of the run predicts them
    std::shared_ptr<const MaskRecord> m_record; ///< null: none of this run yet
    NoteLabel* m_summary;
    QComboBox* m_tower;
    QSlider* m_threshold;
    QLabel* m_thresholdValue;
    QCheckBox* m_live;
    MaskLegend* m_legend;
    QStackedWidget* m_pages;
    MaskStrip* m_strip;
    QLabel* m_message;
};

} // namespace lockstep::ui
