// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/panel_dock.h"

#include "panels/shared/panel.h"

#include <QAction>
#include <QLabel>
#include <QScrollArea>

namespace lockstep::ui {

PanelDock::PanelDock(
    const QString& name, const QString& title, Panel& panel, bool isScrolled, QWidget* parent)
    : QDockWidget(title, parent), m_panel(panel), m_title(new QLabel(title, this)),
      m_noTitle(new QWidget(this))
{
    setObjectName(name + QStringLiteral("_dock"));
    if (isScrolled) {
        auto* const area = new QScrollArea;
        area->setFrameShape(QFrame::NoFrame);
        area->setFocusPolicy(Qt::NoFocus); // what is in it has the keyboard
        area->setWidgetResizable(true);
        area->setMinimumHeight(3 * fontMetrics().height());
        area->setWidget(&panel);
        setWidget(area);
    } else {
        setWidget(&panel);
    }
    QFont bold(m_title->font());
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setContentsMargins(8, 6, 8, 2);
    showTitle();
    connect(this, &QDockWidget::visibilityChanged, &panel, &Panel::setInSight);
    connect(this, &QDockWidget::topLevelChanged, this, &PanelDock::showTitle);
    connect(this, &QDockWidget::topLevelChanged, this, &PanelDock::moved);
    connect(this, &QDockWidget::dockLocationChanged, this, &PanelDock::moved);
    connect(toggleViewAction(), &QAction::toggled, this, &PanelDock::moved);
}

void PanelDock::setTabbed(bool isTabbed)
{
    m_isTabbed = isTabbed;
    showTitle();
}

void PanelDock::setOffered(bool isOffered)
{
    QAction* const toggle = toggleViewAction();
    if (isOffered != toggle->isVisible()) {
        m_wasOpen = isOffered ? m_wasOpen : toggle->isChecked();
        toggle->setVisible(isOffered);
        setVisible(isOffered && m_wasOpen);
    }
}

void PanelDock::showTitle()
{
    QWidget* const bar = isFloating() ? nullptr : m_isTabbed ? m_noTitle : m_title;
    if (bar == titleBarWidget()) {
        return;
    }
    setTitleBarWidget(bar); // shows it
    m_title->setVisible(bar == m_title);
    m_noTitle->setVisible(bar == m_noTitle);
}

} // namespace lockstep::ui
