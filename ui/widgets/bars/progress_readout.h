// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>

class QLabel;
class QProgressBar;

namespace lockstep::ui {

/// "step 12,340 of 1,000,000 [bar] 5 h 47 min left", at the end of the tool bar.
class ProgressReadout : public QWidget
{
    Q_OBJECT

public:
    explicit ProgressReadout(QWidget* parent = nullptr);

    /// Updates done, of those in all. Without `secondsLeft` no time is shown.
    void setProgress(std::int64_t done, std::int64_t all, std::optional<double> secondsLeft);
    /// Of the test images, while they are evaluated.
    void setEvaluating(std::int64_t done, std::int64_t all);
    /// Nothing was done yet: shows the text instead.
    void setWaiting(const QString& text);
    /// Something without a measure is going on.
    void setBusy(const QString& text);

private:
    void setShare(std::int64_t done, std::int64_t all);

    QLabel* m_steps;
    QProgressBar* m_bar;
    QLabel* m_time;
};

} // namespace lockstep::ui
