// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "engine/records.h"
#include "models/figures/tower_table_model.h"
#include "panels/shared/panel.h"

#include <QTimer>

#include <array>
#include <optional>

class QTableView;

namespace lockstep::ui {

class NoteLabel;
class TowerHighlight;

/// The right dock: what each tower does, and the three lights of the run: does it learn, do the
/// towers see alike data, who is waited for.
class TowerPanel : public Panel
{
    Q_OBJECT

public:
    /// Both must outlive the panel.
    TowerPanel(LiveRun& run, TowerHighlight& highlight, QWidget* parent = nullptr);

    /// With room for all columns.
    [[nodiscard]] QSize sizeHint() const override;
    /// With room for the columns that are always there; the others can be scrolled to.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// Devices tell more than before: see sizeHint().
    void moreRoomWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] int widthAround(int tableWidth) const;
    void makeTable();
    void shareHighlight();
    void fitTable();
    void setWidths();
    void showFigures();
    void makeLights();
    void showLights();

    LiveRun& m_run;
    TowerHighlight& m_highlight;
    std::optional<int> m_selectedAtPress; ///< before the press of the mouse
    TowerTableModel m_model;
    RefreshTimer m_refresh;
    QTimer m_columnsCame;
    QTableView* m_table;
    QWidget* m_lights;
    std::array<NoteLabel*, 3> m_sentences{}; ///< of learning, data and pace
};

} // namespace lockstep::ui
