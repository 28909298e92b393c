// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/cosine_history.h"
#include "engine/records.h"
#include "models/figures/gradient_table_model.h"

#include <optional>
#include <vector>

namespace lockstep::ui {

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
    [[nodiscard]] std::optional<OutlyingTower> outlier() const { return m_outlier.find(); }

private:
    std::optional<GradientRecord> m_newest;
    CosineHistory m_history;
    GradientNoiseScale m_noiseScale;
    GradientOutlier m_outlier;
};

} // namespace lockstep::ui
