// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_steps.h"

#include "theme/icons.h"
#include "widgets/forms/wheel_guard.h"
#include "widgets/forms/whole_number_box.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// A person who types is not asked for after every digit.
constexpr int kStepSettleMilliseconds = 250;

} // namespace

PreviewSteps::PreviewSteps(QWidget* parent) : QWidget(parent), m_box(new WholeNumberBox(this))
{
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    const auto add = [&](const char* name, IconName drawing, const QString& toolTip) {
        auto* const button = new QToolButton(this);
        button->setObjectName(QLatin1String(name));
        button->setIcon(icon(drawing));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolTip(toolTip);
        button->setAccessibleName(toolTip);
        layout->addWidget(button);
        return button;
    };
    m_first = add("preview_first", IconName::First, tr("First"));
    m_previous = add("preview_previous", IconName::Previous, tr("Previous"));
    layout->addWidget(m_box);
    m_next = add("preview_next", IconName::Next, tr("Next"));
    m_newest = add("preview_newest", IconName::Follow, tr("Newest step of the run"));
    m_box->setObjectName(QStringLiteral("preview_step"));
    new WheelGuard(m_box);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kStepSettleMilliseconds);
    connect(m_first, &QToolButton::clicked, this, [this] { choose(0); });
    connect(m_previous, &QToolButton::clicked, this, [this] { choose(m_step - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { choose(m_step + 1); });
    connect(m_newest, &QToolButton::clicked, this, &PreviewSteps::newestWanted);
    connect(m_box, &WholeNumberBox::textChanged, this, [this] { m_settled.start(); });
    connect(&m_settled, &QTimer::timeout, this, &PreviewSteps::onTyped);
    setRange(0, QString());
}

void PreviewSteps::setStep(qint64 step)
{
    m_step = step;
    const QSignalBlocker isNotTyped(m_box);
    if (!m_settled.isActive() && m_box->value() != step) {
        m_box->setValue(step);
    }
    updateButtons();
}

void PreviewSteps::setRange(qint64 last, const QString& name)
{
    m_last = last;
    m_box->setRange({0, last, 1});
    m_box->setAccessibleName(name);
    m_box->setToolTip(name);
    updateButtons();
}

void PreviewSteps::setNewestEnabled(bool isEnabled)
{
    m_newest->setEnabled(isEnabled);
}

void PreviewSteps::choose(qint64 step)
{
    m_settled.stop();
    setStep(std::clamp<qint64>(step, 0, m_last));
    emit stepChosen(m_step);
}

/// Nothing while there is no number in the box.
void PreviewSteps::onTyped()
{
    const auto typed = m_box->value();
    if (typed && *typed != m_step && *typed >= 0) {
        choose(*typed);
    }
}

void PreviewSteps::updateButtons()
{
    m_first->setEnabled(m_step > 0);
    m_previous->setEnabled(m_step > 0);
    m_next->setEnabled(m_step < m_last);
}

} // namespace lockstep::ui
