// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QToolButton;

namespace lockstep::ui {

class WholeNumberBox;

/// Goes through steps, or pages, one by one: to the first, the previous, the next, any that is
/// typed, and the newest.
class PreviewSteps : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewSteps(QWidget* parent = nullptr);

    /// What is shown; nothing is emitted. What a person types just now stays in the box.
    void setStep(qint64 step);
    /// The last one that there is, and what one is called: "step", "page".
    void setRange(qint64 last, const QString& name);
    /// Whether there is a newest one to go to.
    void setNewestEnabled(bool isEnabled);

signals:
    /// A person wants to see this one. What is typed settles before.
    void stepChosen(qint64 step);
    void newestWanted();

private:
    void choose(qint64 step);
    void onTyped();
    void updateButtons();

    QToolButton* m_first;
    QToolButton* m_previous;
    WholeNumberBox* m_box;
    QToolButton* m_next;
    QToolButton* m_newest;
    QTimer m_settled;
    qint64 m_step = 0;
    qint64 m_last = 0;
};

} // namespace lockstep::ui
