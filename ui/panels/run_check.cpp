// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_check.h"

#include "panels/run_form.h"

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
    const auto found = problems(request, unreadable);
    m_form.showFacts(request.config);
    m_form.showProblems(found);
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

QList<ConfigProblem> RunCheck::problems(const RunRequest& request, QList<ConfigProblem> unreadable)
{
    QList<ConfigProblem> found = std::move(unreadable);
    for (const ConfigProblem& problem : m_validator.check(request)) {
        if (!isReported(found, problem.key)) {
            found.append(problem);
        }
    }
    // The engine takes it, but whoever presses Start wants more than a run that ends at once.
    const QString steps = QStringLiteral("steps");
    if (request.config.steps == 0 && !isReported(found, steps)) {
        found.append({steps, tr("steps is 0, but must be at least 1")});
    }
    return found;
}

} // namespace lockstep::ui
