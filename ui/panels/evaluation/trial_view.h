// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/image_trials.h"

#include <QWidget>

class QPushButton;
class QStackedWidget;

namespace lockstep {
struct PredictedImage;
}

namespace lockstep::ui {

class ClassAnswer;
class MaskView;
class NoteLabel;

/// An image with its predicted mask or its most probable classes, and what the network says of it.
class TrialView : public QWidget
{
    Q_OBJECT

public:
    explicit TrialView(QWidget* parent = nullptr);

    /// Before any image, or without the means to try one: no file can be chosen then.
    void clear(const QString& text, bool canTry);
    /// The network is at it.
    void setBusy();
    void setAnswer(const TrialAnswer& answer, const TrialRequest& request);

signals:
    /// A person wants to try a file of their own.
    void fileWanted(const std::filesystem::path& file);

private:
    void chooseImage();
    void showMask(const PredictedImage& tried);
    void showClasses(const PredictedImage& tried);

    QStackedWidget* m_answers;
    MaskView* m_view;
    ClassAnswer* m_classes;
    NoteLabel* m_text;
    NoteLabel* m_problem;
    QPushButton* m_try;
};

} // namespace lockstep::ui
