// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/log_model.h"
#include "panels/shared/panel.h"

#include <QTimer>

class QTableView;

namespace lockstep::ui {

/// "Log": what was reported, with the classic step line now and then.
class LogPanel : public Panel
{
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);

    /// One line. The newest stays in view unless someone scrolled up.
    void append(const QString& text, bool isWarning)
    {
        appendAt(QDateTime::currentDateTime(), text, isWarning);
    }
    /// One that was reported then.
    void appendAt(const QDateTime& time, const QString& text, bool isWarning);
    void clear() { m_model.clear(); }
    [[nodiscard]] const LogModel& model() const noexcept { return m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void copySelected() const;

    LogModel m_model;
    QTableView* m_table;
    QTimer m_wrapSoon;
};

} // namespace lockstep::ui
