// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_check.h"

#include "panels/run_form/run_form.h"

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kPauseMilliseconds = 100;

bool isReported(const QList<ConfigProblem>& problems, const QString& key)
{
    return std::any_of(problems.begin(), problems.end(), [&](const ConfigProblem& problem) {
        return problem.key == key;
    });
}

} // namespace

RunCheck::RunCheck(RunForm& form, const RunRequest& base, QObject* parent)
    : QObject(parent), m_form(form), m_base(base)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kPauseMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &RunCheck::checkNow);
}

void RunCheck::checkNow()
{
    m_soon.stop();
    RunRequest request = m_base;
    const auto unreadable = m_form.read(request);
    const auto [found, initial] = findings(request, unreadable);
    m_form.showProblems(found);
    m_form.showFacts(request.config, initial);
    const bool wasReady = m_problem.isEmpty();
    m_problem = found.isEmpty() ? QString() : m_form.inWords(found.front());
    if (wasReady != m_problem.isEmpty()) {
        emit readyChanged(m_problem.isEmpty());
    }
    emit checked();
}

QString RunCheck::problem()
{
    if (m_soon.isActive()) {
        checkNow();
    }
    return m_problem;
}

RunFindings RunCheck::findings(const RunRequest& request, QList<ConfigProblem> unreadable)
{
    const RunFindings checked = m_validator.check(request);
    QList<ConfigProblem> found = std::move(unreadable);
    for (const ConfigProblem& problem : checked.problems) {
        if (!isReported(found, problem.key)) {
            found.append(problem);
        }
    }
    // The engine takes it, but whoever presses Start wants more than a run that ends at once.
    const QString steps = QStringLiteral("steps");
    if (request.config.steps == 0 && !isReported(found, steps)) {
        found.append({steps, tr("steps is 0, but must be at least 1")});
    }
    return {found, checked.initial};
}

} // namespace lockstep::ui
