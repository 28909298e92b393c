// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QTreeWidget;

namespace lockstep::ui {

/// "Keyboard Shortcuts": those of the window's actions, and the keys and gestures of the charts.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    /// Shows the actions that have a shortcut, under their property "group" (the menu's name),
    /// groups and actions in this order.
    explicit ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);

private:
    void addCharts();

    QTreeWidget* m_list;
};

} // namespace lockstep::ui
