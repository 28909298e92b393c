// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"
#include "models/figures/layer_table_model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// What the towers' gradients had in common with their mean over one or several measured steps.
struct CosinePoint
{
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::vector<double> least; ///< by tower; not a number where none was defined
    std::vector<double> most;
};

/// The cosines of all towers over a run of any length, in a bounded number of points: where there
/// are too many, two neighbours become one that keeps the least and the greatest of both.
class CosineHistory
{
public:
    static constexpr std::size_t kMostPoints = 512;

    /// By ascending step.
    void add(std::int64_t step, const std::vector<double>& cosines);
    [[nodiscard]] const std::vector<CosinePoint>& points() const { return m_points; }

private:
    std::vector<CosinePoint> m_points;
    std::size_t m_perPoint = 1;    ///< measured steps
    std::size_t m_inLastPoint = 0; ///< the same of the last point, which may be filling still
};

/// What the gradients of a run say until now, for tables, charts and sentences. Keeps nothing that
/// grows with the run.
class GradientFigures
{
public:
    /// By ascending step; one that is not later than the last is left out.
    void add(const GradientRecord& record);
    void clear() { *this = GradientFigures(); }

    [[nodiscard]] bool isEmpty() const { return !m_newest; }
    /// Of the newest record; the whole network first.
    [[nodiscard]] std::vector<GradientRow> rows() const;
    /// -1: none yet.
    [[nodiscard]] qint64 step() const { return m_newest ? m_newest->step : -1; }
    [[nodiscard]] qint64 globalBatch() const;
    [[nodiscard]] const CosineHistory& history() const { return m_history; }
    [[nodiscard]] const GradientNoiseScale& noiseScale() const { return m_noiseScale; }

private:
    std::optional<GradientRecord> m_newest;
    CosineHistory m_history;
    GradientNoiseScale m_noiseScale;
};

} // namespace lockstep::ui
