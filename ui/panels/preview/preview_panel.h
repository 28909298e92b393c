// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/batch_preview.h"
#include "engine/config.h"
#include "panels/shared/panel.h"

#include <QElapsedTimer>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QStackedWidget;

namespace lockstep::ui {

class BalancePage;
class ImageGrid;
class NoteLabel;
class PreviewMessage;
class PreviewSteps;
class StudyView;

/// "Data preview": the images that each tower gets in a step, distorted, with their classes; what
/// evaluations see; how many examples there are of each class. One image that is chosen is shown
/// with what is drawn for it in several epochs. Everything is made by the run's own functions,
/// beside the run, and only while someone can see it.
class PreviewPanel : public Panel
{
    Q_OBJECT

public:
    enum View { Training, Evaluation, Classes };
    /// While a run goes on, images are made anew this often at most.
    static constexpr int kLiveMilliseconds = 2000;
    /// Images of a page of the test set.
    static constexpr int kPageImages = 24;
    /// After the one of the step, of an image that is chosen.
    static constexpr int kFurtherDraws = 7;

    explicit PreviewPanel(QWidget* parent = nullptr);

    /// The run that is being set up, or that was started: shows its newest batch, or the step that
    /// was chosen. May be called at every key stroke.
    /// `machine`: where its data are; null: here.
    void setConfig(
        const RunConfig& config, const std::shared_ptr<RemoteMachine>& machine = nullptr);
    /// StepRecord::examples of the newest step: with "Live" shows the batch of that step.
    void setPosition(std::int64_t examples);

    [[nodiscard]] QSize sizeHint() const override { return {1000, 270}; }

public slots:
    /// Shows the newest now, or as soon as the panel is in sight.
    void refresh();

signals:
    /// Images were asked for: the first of these examples is the one at `position`.
    void requested(qint64 position);

protected:
    void inSightChanged() override;

private:
    /// What waits to be asked for.
    enum class Due {
        Nothing,
        Step,  ///< the newest one of a run that goes on
        All,   ///< what a person or another configuration wants
        Halted ///< no step until then: what was asked for failed, or was cancelled
    };

    [[nodiscard]] QLayout* makeHead();
    [[nodiscard]] View view() const;
    void setView();
    void forgetImages();
    void setLive(bool isLive);
    void chooseStep(qint64 step);
    void showSteps();
    void askAnew();
    void askIn(qint64 milliseconds);
    [[nodiscard]] bool isDue() const noexcept;
    void halt();
    void cancel();
    void ask();
    void askForImages();
    void studyTile(int index);
    void closeStudy();
    [[nodiscard]] std::int64_t newestStep() const;
    void showLoading(double share);
    void showBatch(const PreviewBatch& batch);
    void showStudy(const ExampleStudy& study);
    void showBalance(const ClassBalance& balance);
    [[nodiscard]] bool showProblem(const QString& text);

    RunConfig m_config;
    std::shared_ptr<RemoteMachine> m_machine;
    std::int64_t m_globalBatch = 0; // 0: the configuration makes no sense
    std::optional<std::int64_t> m_examples;
    std::optional<std::int64_t> m_chosenStep; // none: the newest
    std::int64_t m_page = 0;                  // of the test set
    PreviewBatch m_shown;
    std::optional<StudyRequest> m_study; // what is shown beside the images, or will be
    bool m_isStudyStale = false;
    Due m_due = Due::All;
    QTimer m_timer;
    QElapsedTimer m_sinceAsked;

    QComboBox* m_view;
    NoteLabel* m_caption;
    PreviewSteps* m_steps;
    QCheckBox* m_live;
    QStackedWidget* m_pages;
    PreviewMessage* m_message;
    QWidget* m_images = nullptr;
    ImageGrid* m_grid;
    StudyView* m_studyView;
    BalancePage* m_balance;
    BatchPreview m_preview;
};

} // namespace lockstep::ui
