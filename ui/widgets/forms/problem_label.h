// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace lockstep::ui {

class NoteLabel;

/// What is wrong, in words, behind a small warning sign. Hidden while nothing is.
class ProblemLabel : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemLabel(QWidget* parent = nullptr);

    void setProblem(const QString& text);
    [[nodiscard]] QString problem() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void drawSign();

    QLabel* m_sign;
    NoteLabel* m_text;
};

} // namespace lockstep::ui
