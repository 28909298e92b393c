// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/image_trials.h"

#include <QWidget>

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

    /// Before any image: `text` says what can be done.
    void clear(const QString& text);
    /// The network is at it.
    void setBusy();
    void setAnswer(const TrialAnswer& answer, const TrialRequest& request);

private:
    void showMask(const PredictedImage& tried);
    void showClasses(const PredictedImage& tried);

    QStackedWidget* m_answers;
    MaskView* m_view;
    ClassAnswer* m_classes;
    NoteLabel* m_text;
    NoteLabel* m_problem;
};

} // namespace lockstep::ui
