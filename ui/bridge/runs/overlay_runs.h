// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/runs/overlay_reader.h"

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <memory>
#include <vector>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

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
        QString subject;                       ///< see subjectOf()
        int color = 0;                         ///< its number, kept as long as the run is laid over
        std::shared_ptr<OverlaySeries> series; ///< nothing until it is read
        std::shared_ptr<OverlayReader> reader; ///< of the thread
    };

    explicit OverlayRuns(QObject* parent = nullptr);
    ~OverlayRuns() override;

    /// Lays a run over the charts, or takes it away. Does nothing and returns false if there are
    /// as many as there can be.
    bool setOverlaid(const QString& folder, bool isOverlaid);
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
    [[nodiscard]] int freeColor() const;
    void onRead(const QString& folder, const std::shared_ptr<OverlaySeries>& series);

    std::vector<Overlay> m_overlays;
    QStringList m_reading;
    QStringList m_wanted; ///< again, as soon as they are read
    double m_smoothing = 0.0;
    QThreadPool m_thread;
};

} // namespace lockstep::ui
