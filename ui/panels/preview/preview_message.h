// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

/// Stands where the preview would be: what is being loaded and how far, with a way to end it, or
/// why there is nothing, with a way to try again.
class PreviewMessage : public QWidget
{
    Q_OBJECT

public:
    explicit PreviewMessage(QWidget* parent = nullptr);

    void setWaiting(const QString& text);
    /// `share` of the loading is done, 0 to 1.
    void setLoading(const QString& text, double share);
    void setProblem(const QString& text);

signals:
    void cancelled();
    void again();

private:
    void showParts(const QString& text, bool isLoading, bool isProblem);

    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QPushButton* m_again;
};

} // namespace lockstep::ui
