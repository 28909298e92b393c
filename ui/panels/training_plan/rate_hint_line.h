// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/batch_text.h"

#include <QWidget>

#include <optional>

class QToolButton;

namespace lockstep::ui {

class NoteLabel;

/// What the linear scaling rule says of the learning rate, with a button that takes it. Hidden
/// where it says nothing new.
class RateHintLine : public QWidget
{
    Q_OBJECT

public:
    explicit RateHintLine(QWidget* parent = nullptr);

    void setHint(const std::optional<RateHint>& hint);
    /// Shows nothing for a while, but keeps its place.
    void setVoid(bool isVoid);

signals:
    void taken(double rate);

private:
    std::optional<RateHint> m_hint;
    NoteLabel* m_text;
    QToolButton* m_take;
};

} // namespace lockstep::ui
