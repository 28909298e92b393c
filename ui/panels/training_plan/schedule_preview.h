// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

class NoteLabel;
class LinePlot;

/// The learning rate over the steps of a run, before it begins: a staircase on a logarithmic axis,
/// and the steps of its decays in words. Hidden where there is none: no rate, no steps, or data
/// that were not counted yet.
class SchedulePreview : public QWidget
{
    Q_OBJECT

public:
    explicit SchedulePreview(QWidget* parent = nullptr);

    /// A valid configuration; `examples` of the training set, none: not known.
    void setConfig(const RunConfig& config, std::optional<std::int64_t> examples);
    /// Shows nothing for a while, but keeps its place.
    void setVoid(bool isVoid);

private:
    void showSchedule(const RunConfig& config, std::int64_t examples);

    LinePlot* m_chart;
    NoteLabel* m_words;
    bool m_hasSchedule = false;
};

} // namespace lockstep::ui
