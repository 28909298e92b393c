// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bars/progress_readout.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kParts = 10'000; // of the bar
constexpr int kBarWidth = 150;

} // namespace

ProgressReadout::ProgressReadout(QWidget* parent)
    : QWidget(parent), m_steps(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_time(new QLabel(this))
{
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_bar->setFixedWidth(kBarWidth);
    m_bar->setRange(0, kParts);
    m_steps->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_steps->setObjectName(QStringLiteral("steps_done"));
    rowIn(this, {8, 0, 8, 0}, 10, {{m_steps, 1}, m_bar, m_time});
}

void ProgressReadout::setProgress(
    std::int64_t done, std::int64_t all, std::optional<double> secondsLeft)
{
    m_steps->setText(tr("step %1 of %2").arg(countText(done), countText(all)));
    setShare(done, all);
    // Whole seconds: an estimate has no hundredths.
    m_time->setText(
        secondsLeft && *secondsLeft < 10.0 ? tr("%1 s left").arg(std::ceil(*secondsLeft))
        : secondsLeft                      ? tr("%1 left").arg(durationText(*secondsLeft))
                                           : QString());
    m_time->setVisible(secondsLeft.has_value());
}

void ProgressReadout::setEvaluating(std::int64_t done, std::int64_t all)
{
    m_steps->setText(tr("evaluated %1 of %2 images").arg(countText(done), countText(all)));
    setShare(done, all);
    m_time->hide();
}

void ProgressReadout::setShare(std::int64_t done, std::int64_t all)
{
    const double share =
        all > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(all)) : 0.0;
    m_bar->setRange(0, kParts);
    m_bar->setValue(static_cast<int>(share * kParts));
    m_bar->setFormat(QLocale().toString(100.0 * share, 'f', 1) + tr(" %"));
    m_bar->show();
}

void ProgressReadout::setWaiting(const QString& text)
{
    m_steps->setText(text);
    m_bar->hide();
    m_time->hide();
}

void ProgressReadout::setBusy(const QString& text)
{
    setWaiting(text);
    m_bar->setRange(0, 0);
    m_bar->show();
}

} // namespace lockstep::ui
