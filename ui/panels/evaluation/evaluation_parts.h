// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/evaluation_reader.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QStackedWidget;

namespace lockstep::ui {

class ClassAnswer;
class MaskView;
class NoteLabel;

/// What an evaluation says of the images of the test set, the most wrong ones first, as it fits
/// what the run's network does.
class EvaluationPage : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Another run, of which nothing is known yet: no filter.
    virtual void clear() {}
    /// `text` stands where there is nothing to show.
    virtual void setPicture(const EvaluationPicture& picture, const QString& text) = 0;
    /// No image of the table is shown any more.
    virtual void deselect() = 0;
    /// Brings to the front what the network is most wrong about.
    virtual void showMistakes() {}
    /// A picture that was asked for.
    virtual void setImage(qint64 /*example*/, const PredictedImage& /*tried*/) {}
    /// What narrows the table, to stand above the page.
    [[nodiscard]] virtual QWidget& filters() = 0;

signals:
    /// A person wants to see this image of the test set.
    void exampleWanted(qint64 example);
    /// The page shows pictures of these images, as the network sees them, instead of those that it
    /// asked for before.
    void imagesWanted(const std::vector<qint64>& examples);
};

/// That of a network that detects: its images, and precision and recall at all thresholds. That of
/// a network that classifies: its images, and what is taken for what; a cell of the matrix that is
/// chosen narrows the table to its images.
std::array<EvaluationPage*, 2> makeEvaluationPages(QWidget* parent);

/// Which evaluation of a run is shown: the newest or that of a step, by which weights.
class EvaluationChoices : public QWidget
{
    Q_OBJECT

public:
    explicit EvaluationChoices(QWidget* parent = nullptr);

    /// The newest one again, of a run whose evaluations are not known yet.
    void reset();
    /// A step that was chosen stays so, if it is there.
    void setEvaluations(const std::vector<EvaluationRecord>& evaluations);
    /// None: the newest.
    [[nodiscard]] std::optional<std::int64_t> step() const;
    [[nodiscard]] WeightsKind weights() const;

signals:
    /// A person chose another one.
    void changed();

private:
    QComboBox* m_step;
    QComboBox* m_weights;
};

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
