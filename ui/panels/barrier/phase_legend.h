// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/barrier/barrier_phases.h"

#include <QWidget>

#include <vector>

namespace lockstep {
struct StepRecord;
}

namespace lockstep::ui {

/// The phases of a step, how they are painted, and what they took: mean over its towers. As many
/// columns as there is room for. Every phase keeps its place, so that figures can be read while
/// they change.
class PhaseLegend : public QWidget
{
    Q_OBJECT

public:
    explicit PhaseLegend(QWidget* parent = nullptr);

    void setStep(const StepRecord& step);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry
    {
        StepPhase phase;
        double seconds;
    };
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int columnsIn(int width) const;
    [[nodiscard]] QRect placeOf(int entry) const;

    std::vector<Entry> m_entries;
    int m_widest = 0; ///< of the names
};

} // namespace lockstep::ui
