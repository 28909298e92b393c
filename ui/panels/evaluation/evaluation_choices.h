// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;

namespace lockstep::ui {

/// Which evaluation of a run is shown: the newest or that of a step, by which weights.
class EvaluationChoices : public QWidget
{
    Q_OBJECT

public:
    explicit EvaluationChoices(QWidget* parent = nullptr);

    /// The newest one again, of a run whose evaluations are not known yet.
    void reset();
    /// A step that was chosen stays so, if it is there.
    void setEvaluations(const std::vector<EvaluationRecord>& evaluations);
    /// None: the newest.
    [[nodiscard]] std::optional<std::int64_t> step() const;
    [[nodiscard]] WeightsKind weights() const;

signals:
    /// A person chose another one.
    void changed();

private:
    QComboBox* m_step;
    QComboBox* m_weights;
};

} // namespace lockstep::ui
