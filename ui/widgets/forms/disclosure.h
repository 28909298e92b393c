// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace lockstep::ui {

class ProblemLabel;

/// A title with an arrow that shows and hides what is under it, and scrolls there. Closed at first.
/// What is wrong in there is said under the title while it is closed.
class Disclosure : public QWidget
{
    Q_OBJECT

public:
    explicit Disclosure(const QString& title, QWidget* parent = nullptr);

    /// What is shown and hidden; add to its layout.
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    void setOpen(bool isOpen);
    void setProblem(const QString& text);

private:
    void showState();
    void bringUp();

    QToolButton* m_button;
    ProblemLabel* m_problem;
    QWidget* m_content;
    QVBoxLayout* m_body;
    QString m_hiddenProblem;
    bool m_isOpen = false;
};

} // namespace lockstep::ui
