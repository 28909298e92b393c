// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/run_validation.h"

#include <QTimer>

namespace lockstep {
struct RunRequest;
}

namespace lockstep::ui {

class RunForm;

/// Checks what a form says a moment after it has changed, so that typing never stutters, and has
/// the form show what is wrong.
class RunCheck : public QObject
{
    Q_OBJECT

public:
    /// Checks the form's values over those of `base`. Both outlive it.
    RunCheck(RunForm& form, const RunRequest& base, QObject* parent);

    void checkSoon() { m_soon.start(); }
    void checkNow();
    /// No longer has anything to check.
    void cancel() { m_soon.stop(); }
    /// Forgets what was found of devices.
    void forget() { m_validator = RunValidator(); }

    /// The first problem in words, empty if there is none. Checks at once what waits for it.
    QString problem();

signals:
    void readyChanged(bool isReady);
    /// After each check: problem() may have changed.
    void checked();

private:
    RunFindings findings(const RunRequest& request, QList<ConfigProblem> unreadable);

    RunForm& m_form;
    const RunRequest& m_base;
    QTimer m_soon;
    RunValidator m_validator;
    QString m_problem;
};

} // namespace lockstep::ui
