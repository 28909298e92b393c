// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lockstep::ui {

/// What a dock of the window shows. GUI thread.
class Panel : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Whether a person can see it: its dock is open and not behind the tab of another. What
    /// nobody sees needn't be read or made.
    [[nodiscard]] bool isInSight() const noexcept { return m_isInSight; }
    void setInSight(bool isInSight)
    {
        m_isInSight = isInSight;
        inSightChanged();
    }

protected:
    virtual void inSightChanged() {}

private:
    bool m_isInSight = false;
};

} // namespace lockstep::ui
