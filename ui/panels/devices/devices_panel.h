// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/device_history.h"
#include "bridge/session/live_run.h"
#include "panels/shared/panel.h"

#include <array>

class QGridLayout;

namespace lockstep::ui {

class LinePlot;
class NoteLabel;

/// "Devices": load, memory, temperature and power of what the shown run trains on, over the time in
/// which it was trained. What nothing tells has no chart, and is named.
class DevicesPanel : public Panel
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit DevicesPanel(LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {900, 200}; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void inSightChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeCharts();
    void refreshSoon();
    void refresh();
    void arrange();
    [[nodiscard]] QString noteText() const;

    LiveRun& m_run;
    DeviceHistory m_history;
    RefreshTimer m_refresh;
    bool m_isStale = true;
    QGridLayout* m_grid;
    std::array<LinePlot*, 4> m_charts{}; ///< load, memory, temperature, power
    NoteLabel* m_note;
};

} // namespace lockstep::ui
