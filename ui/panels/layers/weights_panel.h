// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/layer_reader.h"
#include "bridge/session/live_run.h"
#include "models/figures/layer_table_model.h"
#include "panels/shared/panel.h"

#include <QTimer>

#include <memory>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace lockstep::ui {

class FilterPage;
class HistogramPage;
class LinePlot;
class NoteLabel;

/// "Weights": the layers of the shown run's network and what they take; of the chosen one how its
/// weights, gradients and activations are distributed, step by step; the first filters; how many
/// activations are zero. Reads the run's event files, and only while someone can see it.
class WeightsPanel : public Panel
{
    Q_OBJECT

public:
    /// While it is in sight, the run is looked at this often.
    static constexpr int kLookMilliseconds = 1000;

    /// The run must outlive the panel.
    explicit WeightsPanel(LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {900, 250}; }

protected:
    void inSightChanged() override;

private:
    void makeTable();
    [[nodiscard]] QWidget* makeDetail();
    [[nodiscard]] QLayout* makeTools();
    void begin();
    void ask();
    void take(const LayerRequest& request, const std::shared_ptr<const LayerPicture>& picture);
    void showLayers(const LayerPicture& picture);
    void showSparsity(const LayerPicture& picture);
    void showMessage(const QString& text);
    [[nodiscard]] QString reasonForNothing() const;

    LiveRun& m_run;
    LayerReader m_reader; ///< of the thread of m_history alone
    LatestRequest<LayerRequest, LayerPicture> m_history{
        *this, [this](const auto& request) { return m_reader.read(request); },
        [this](const auto& request, const auto& picture) { take(request, picture); }};
    LayerTableModel m_model;
    QTimer m_timer;
    QString m_layer; ///< the chosen one; empty: the first with parameters

    QTableView* m_table;
    QTabBar* m_tabs = nullptr;
    QComboBox* m_kind = nullptr;
    QLabel* m_records = nullptr;
    QStackedWidget* m_pages = nullptr;
    HistogramPage* m_histograms = nullptr;
    FilterPage* m_filters = nullptr;
    LinePlot* m_sparsity = nullptr;
    NoteLabel* m_message = nullptr;
};

} // namespace lockstep::ui
