// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"

#include <QWidget>

#include <vector>

namespace lockstep::ui {

class LinePlot;
class NoteLabel;

/// The accuracy of all evaluations of a run, and why there is nothing of single images.
class AccuracyPage : public QWidget
{
    Q_OBJECT

public:
    explicit AccuracyPage(QWidget* parent = nullptr);

    /// Only words.
    void setMessage(const QString& text);
    void setEvaluations(const std::vector<EvaluationRecord>& evaluations, const QString& text);

private:
    NoteLabel* m_message;
    LinePlot* m_chart;
};

} // namespace lockstep::ui
