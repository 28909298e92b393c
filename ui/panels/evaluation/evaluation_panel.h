// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/evaluation_reader.h"
#include "bridge/session/live_run.h"
#include "panels/evaluation/evaluation_parts.h"
#include "panels/shared/panel.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <variant>

class QPushButton;
class QStackedWidget;

namespace lockstep::ui {

class FilesPage;
class NoteLabel;

/// Why the picture has no curve, or nothing of single images.
QString reasonForNoCurve(const RunConfig& config, const EvaluationPicture& picture);

/// "Evaluation": what a network says of each image of the test set, the most wrong ones first. Of
/// one that detects, precision and recall at all thresholds, and the mask of an image; of one that
/// classifies, what is taken for what, and the most probable classes of an image: of the test set
/// or any file that is dropped on the window; of several, or a folder, a list of what it takes them
/// for. Reads the run's store, and asks its network, only while someone can see it.
class EvaluationPanel : public Panel
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit EvaluationPanel(LiveRun& run, QWidget* parent = nullptr);

    /// Asks the network of the run that is shown about these files: one is shown, several and those
    /// of a folder are listed.
    void tryFiles(const std::vector<std::filesystem::path>& places);
    [[nodiscard]] QSize sizeHint() const override { return {1000, 270}; }

    /// Asks for pictures to try.
    void chooseImage();
    /// Shows the images that the network is most wrong about.
    void showMistakes() { m_page->showMistakes(); }

protected:
    void inSightChanged() override;

private:
    [[nodiscard]] QWidget* makeParts();
    void begin();
    void look();
    void ask();
    void take(
        const EvaluationRequest& request, const std::shared_ptr<const EvaluationPicture>& picture);
    void showPicture();
    void clearTrial();
    void showKind(QWidget* kind);
    void tryAgain();
    [[nodiscard]] TrialRequest trialRequest() const;
    void askNetwork(const std::variant<std::int64_t, std::filesystem::path>& image);
    void takeTrial(const TrialRequest& request, const TrialAnswer& answer);
    void closeNetwork();

    LiveRun& m_run;
    EvaluationReader m_reader; ///< of the thread of m_history alone
    LatestRequest<EvaluationRequest, EvaluationPicture> m_history{
        *this, [this](const auto& request) { return m_reader.read(request); },
        [this](const auto& request, const auto& picture) { take(request, picture); }};
    TrialNetwork m_network; ///< of the thread of m_trials alone
    LatestRequest<TrialRequest, TrialAnswer> m_trials{
        *this, [this](const auto& request) { return m_network.answer(request); },
        [this](const auto& request, const auto& answer) { takeTrial(request, *answer); }};
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
