// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"
#include "engine/config.h"
#include "engine/records.h"
#include "engine/storage.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QThreadPool>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// The curves of what a preview has.
std::shared_ptr<OverlaySeries> overlaySeriesOf(const LossPreview& preview);

/// Losses, speed and tests of a run, from what its store keeps ready. Errors as RunStoreReader.
std::shared_ptr<OverlaySeries> overlaySeriesOf(const RunStoreReader& reader);

/// Whether its first step tells weight decay and cross-entropy apart, see crossEntropy().
bool isDecayKnown(const RunStoreReader& reader);

/// Reads what the charts show of a run that lies behind the shown one. Its losses and speed come
/// from what the store keeps ready; for the other figures it goes through the steps, once: later it
/// reads on from there. One thread at a time.
class OverlayReader
{
public:
    explicit OverlayReader(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// As of now. Errors as RunStoreReader.
    std::shared_ptr<OverlaySeries> read();

private:
    void take(const StepRecord& record);
    /// Between multiples of m_width.
    OverlayFigures& stretchOf(std::int64_t step);

    std::filesystem::path m_folder;
    std::int64_t m_branch = 0;
    std::int64_t m_nextStep = 0;
    std::size_t m_towers = 0;
    LastTowerStatistics m_statistics;
    std::int64_t m_width = 1; ///< doubles when there are too many
    std::vector<OverlayFigures> m_stretches;
};

/// What a run trains, and with which data: "SegDecNet, KolektorSDD". The losses of runs with
/// another one tell nothing of each other.
QString subjectOf(const RunConfig& config);

/// The runs that are laid over the charts. Reads their curves on a thread of its own. Lives in the
/// GUI thread.
class OverlayRuns : public QObject
{
    Q_OBJECT

public:
    /// More could not be told apart.
    static constexpr int kMost = 8;

    struct Overlay
    {
        QString folder;
        QString name;
        QString subject; ///< see subjectOf(); empty: can't be read
        RunConfig config;
        int color = 0;                         ///< its number, kept as long as the run is laid over
        std::shared_ptr<OverlaySeries> series; ///< nothing until it is read
        std::shared_ptr<OverlayReader> reader; ///< of the thread
    };

    explicit OverlayRuns(QObject* parent = nullptr);
    ~OverlayRuns() override { m_thread.clear(); }

    /// Lays a run over the charts, or takes it away. Does nothing and returns false if there are
    /// as many as there can be.
    bool setOverlaid(const QString& folder, bool isOverlaid);
    /// Takes those away that are about something else: see subjectOf().
    void keepOnly(const QString& subject);
    /// Reads a run anew, if it is laid over: it has grown.
    void refresh(const QString& folder);

    [[nodiscard]] const std::vector<Overlay>& overlays() const noexcept { return m_overlays; }
    [[nodiscard]] QStringList folders() const;
    /// The colour of each.
    [[nodiscard]] QHash<QString, int> colors() const;

    /// As that of the run that is shown, for a step; in [0, 1).
    void setSmoothing(double weight);

signals:
    /// Other runs, or other curves. During the signal the curves of before still exist.
    void changed();
    /// A run can't be laid over.
    void failed(const QString& text);

private:
    [[nodiscard]] Overlay* find(const QString& folder);
    void onRead(const QString& folder, const std::shared_ptr<OverlaySeries>& series);

    std::vector<Overlay> m_overlays;
    QSet<QString> m_reading;
    QSet<QString> m_wanted; ///< again, as soon as they are read
    double m_smoothing = 0.0;
    QThreadPool m_thread; ///< last: it waits for what is read
};

} // namespace lockstep::ui
