// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/presets.h"
#include "bridge/validation/run_estimator.h"
#include "models/runs/run_table_model.h"

#include <QScrollArea>

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

class QAction;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace lockstep::ui {

class Demonstration;
class NoteLabel;
class RunSummaries;
class StartCard;
enum class OfferKind;

/// What stands in place of the charts while no run is shown: a run that was recorded, played; the
/// runs of before; runs that are ready to start, with the curves that come of them and the time and
/// memory that each is expected to take here; doors for a person's own; what the charts tell. GUI
/// thread.
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    /// Both must outlive the page. `start` is the window's.
    StartPage(RunSummaries& summaries, QAction& start, QWidget* parent = nullptr);

    /// What Start would train: in words, and for the card that set it up.
    void setPrepared(const QString& text, const RunConfig& config);
    /// Of a card's configuration, as toToml() writes it; nothing: it can't be told.
    void showExpectation(const std::string& config, const std::optional<RunExpectation>& expected);
    /// Looks for a person's own presets again.
    void refreshPresets();

signals:
    /// The page is in sight: showExpectation() shall tell what these take.
    void expectationsWanted(const std::vector<lockstep::RunConfig>& configs);
    void chosen(const lockstep::RunConfig& config);
    /// The same, and to be started at once.
    void startWanted(const lockstep::RunConfig& config);
    /// A folder of pictures shall be asked for, and this trained on them.
    void picturesWanted(const lockstep::RunConfig& config);
    void runChosen(const std::filesystem::path& run);
    /// Ranks of another program shall be waited for.
    void watchWanted();
    /// A file of any kind shall be asked for, and opened.
    void fileWanted();
    void newNameWanted(const lockstep::ui::Preset& preset);
    void removalWanted(const lockstep::ui::Preset& preset);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Cards in as many columns as there is room for.
    struct Section
    {
        QLabel* heading = nullptr;
        QGridLayout* grid = nullptr;
        std::vector<StartCard*> cards;
    };
    struct Offer
    {
        StartCard* card = nullptr;
        RunConfig config;
        std::string toml;
    };

    void makeHead(QAction& start, QVBoxLayout& rows);
    Section makeSection(const QString& title, QVBoxLayout& rows);
    void addOffer(OfferKind kind, const Preset& preset);
    void addGuide(QVBoxLayout& rows);
    static void removeCards(QGridLayout& grid, const std::vector<StartCard*>& cards);
    [[nodiscard]] int columns() const;
    void arrange();
    void showRuns();
    [[nodiscard]] StartCard* makeRunCard(const QString& folder);
    void askForExpectations();

    RunSummaries& m_summaries;
    QWidget* m_page;
    NoteLabel* m_prepared;
    Demonstration* m_demonstration;
    Section m_recent;
    std::map<OfferKind, Section> m_offered;
    std::vector<Offer> m_offers;
    std::string m_preparedToml;
    std::map<QString, RunRow> m_runs; ///< by folder
};

} // namespace lockstep::ui
