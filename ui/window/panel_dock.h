// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QLabel;

namespace lockstep::ui {

class Panel;

/// A dock around a panel. Its title stands above the panel in one quiet line, by which it can be
/// dragged; where a tab has the title it is not repeated, and a dock that floats has a frame.
class PanelDock : public QDockWidget
{
    Q_OBJECT

public:
    /// `name`: for settings and tests, without its ending. `isScrolled`: the dock may have less
    /// room than its panel needs.
    PanelDock(
        const QString& name, const QString& title, Panel& panel, bool isScrolled, QWidget* parent);

    [[nodiscard]] Panel& panel() const noexcept { return m_panel; }
    void setTabbed(bool isTabbed);
    /// Takes the dock away, and offers it no more; back again it is open if it was before.
    void setOffered(bool isOffered);

signals:
    /// It may have become a tab, or another one with it.
    void moved();

private:
    void showTitle();

    Panel& m_panel;
    QLabel* m_title;
    QWidget* m_noTitle;
    bool m_isTabbed = false;
    bool m_wasOpen = false; ///< when it was taken away
};

} // namespace lockstep::ui
