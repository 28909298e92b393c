// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/evaluation_reader.h"
#include "bridge/readers/trial_series.h"
#include "bridge/session/live_run.h"
#include "panels/shared/panel.h"

#include <QTimer>

#include <array>
#include <memory>
#include <optional>
#include <variant>

class QPushButton;
class QStackedWidget;

namespace lockstep::ui {

class EvaluationChoices;
class EvaluationPage;
class FilesPage;
class NoteLabel;
class TrialView;

/// "Evaluation": what a network says of each image of the test set, the most wrong ones first. Of
/// one that detects, precision and recall at all thresholds, and the mask of an image; of one that
/// classifies, what is taken for what, and the most probable classes of an image: of the test set
/// or any file that is dropped here; of several, or a folder, a list of what it takes them for.
/// Reads the run's store, and asks its network, only while someone can see it.
class EvaluationPanel : public Panel
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit EvaluationPanel(LiveRun& run, QWidget* parent = nullptr);

    /// Files that are dropped there are tried as if they were dropped here.
    void takeDropsOn(QWidget& window);
    [[nodiscard]] QSize sizeHint() const override { return {1000, 270}; }

signals:
    /// Files were dropped: this should be in sight.
    void dropped();

protected:
    void inSightChanged() override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* window, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeParts();
    void begin();
    void look();
    void ask();
    void take(
        const EvaluationRequest& request, const std::shared_ptr<const EvaluationPicture>& picture);
    void showPicture();
    [[nodiscard]] bool canTry() const { return !m_run.folder().empty() && !m_run.isRecorded(); }
    void clearTrial();
    void chooseImage();
    void tryFile(const std::filesystem::path& file);
    void tryFiles(const std::vector<std::filesystem::path>& places);
    void showKind(QWidget* kind);
    void tryAgain();
    [[nodiscard]] TrialRequest trialRequest() const;
    void showImages(const std::vector<qint64>& examples);
    void askNetwork(const std::variant<std::int64_t, std::filesystem::path>& image);
    void takeTrial(const TrialRequest& request, const std::shared_ptr<const TrialAnswer>& answer);

    LiveRun& m_run;
    EvaluationReader m_reader; ///< of the thread of m_history alone
    LatestRequest<EvaluationRequest, EvaluationPicture> m_history{
        *this, [this](const auto& request) { return m_reader.read(request); },
        [this](const auto& request, const auto& picture) { take(request, picture); }};
    ImageTrials m_trials;
    TrialSeries m_images; ///< pictures for the page
    QTimer m_soon;
    QTimer m_later;
    std::shared_ptr<const EvaluationPicture> m_picture;
    std::optional<TrialRequest> m_tried; ///< what is shown, or will be

    QStackedWidget* m_pages;
    QStackedWidget* m_kinds;
    EvaluationChoices* m_choices;
    std::array<EvaluationPage*, 2> m_kindPages; ///< of networks that detect, and that classify
    EvaluationPage* m_page;                     ///< the one that fits the run
    FilesPage* m_files;                         ///< in their place while files are listed
    QPushButton* m_try;
    TrialView* m_trial;
    NoteLabel* m_message;
};

} // namespace lockstep::ui
