// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/start_line.h"

#include "bridge/base/file_names.h"
#include "bridge/validation/run_validation.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/problem_label.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep::ui {
namespace {

constexpr int kBottomMargin = 8; // from the first section

} // namespace

StartLine::StartLine(QWidget* parent)
    : QWidget(parent), m_text(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_problem(new ProblemLabel(this))
{
    auto* clear = new QToolButton(this);
    clear->setText(QStringLiteral("×"));
    clear->setAutoRaise(true);
    clear->setObjectName(QLatin1String(kCheckpointKey) + QStringLiteral(".clear"));
    clear->setAccessibleName(tr("Start from random weights"));
    clear->setToolTip(tr("Make this a new run that starts from random weights"));
    connect(clear, &QToolButton::clicked, this, &StartLine::cleared);

    m_text->setObjectName(QLatin1String(kCheckpointKey));
    auto* row = new QHBoxLayout;
    row->addWidget(m_text, 1);
    row->addWidget(clear, 0, Qt::AlignTop);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, kBottomMargin);
    rows->setSpacing(3);
    rows->addLayout(row);
    rows->addWidget(m_problem);
    hide();
}

void StartLine::setRequest(const RunRequest& request)
{
    m_request = request;
    show();
}

void StartLine::setConfig(const RunConfig& config)
{
    m_request.config = config;
    show();
}

void StartLine::show()
{
    const bool isState = m_request.isResume || m_request.checkpoint;
    const InitialWeightsConfig& initial = m_request.config.initialWeights;
    const QString run = nameOf(m_request.folder);
    const std::filesystem::path checkpoint = isState
                                                 ? m_request.checkpoint.value_or(m_request.folder)
                                                 : std::filesystem::path(initial.checkpoint);
    const QString file = nameOf(checkpoint);
    QString text;
    if (m_request.checkpoint && m_request.isResume) {
        text = tr("Continues run %1 from checkpoint %2, on a new branch").arg(run, file);
    } else if (m_request.checkpoint) {
        text = tr("Starts from checkpoint %1").arg(file);
    } else if (m_request.isResume) {
        text = tr("Continues run %1").arg(run);
    } else if (initial.isGiven()) {
        text = tr("Fine-tunes the weights of %1").arg(file);
    }
    m_text->setNote(text);
    m_text->setToolTip(toQString(checkpoint));
    setVisible(!text.isEmpty());
}

void StartLine::setProblem(const QString& text)
{
    m_problem->setProblem(text);
}

} // namespace lockstep::ui
