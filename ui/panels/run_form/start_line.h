// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run.h"

#include <QWidget>

namespace lockstep::ui {

class NoteLabel;
class ProblemLabel;

/// Says that the run does not start from random weights but goes on with another run or from a
/// checkpoint, and can take that back. Hidden otherwise.
class StartLine : public QWidget
{
    Q_OBJECT

public:
    explicit StartLine(QWidget* parent = nullptr);

    void setRequest(const RunRequest& request);
    /// Replaces the request's configuration by one that a person may be editing.
    void setConfig(const RunConfig& config);
    void setProblem(const QString& text);

signals:
    void cleared();

private:
    void show();

    RunRequest m_request;
    NoteLabel* m_text;
    ProblemLabel* m_problem;
};

} // namespace lockstep::ui
