// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/start_page.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_summaries.h"
#include "panels/start/demonstration.h"
#include "panels/start/recordings.h"
#include "panels/start/start_card.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLocale>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kMargin = 16;
constexpr int kGap = 10;
constexpr int kBetweenSections = 6;
constexpr int kLeastCard = 230;
constexpr int kMostColumns = 5;
constexpr int kFewestRuns = 3; ///< as far as there are; else a row of them
constexpr int kDefects = 3;    ///< pictures of them
constexpr double kHeadScale = 1.5;

/// The state of a run and what it came to.
QString textOf(const RunRow& run)
{
    QStringList parts{stageText(run)};
    if (run.bestAccuracy) {
        parts.append(StartPage::tr("best accuracy %1").arg(percents(1).text(*run.bestAccuracy)));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

StartPage::StartPage(RunSummaries& summaries, QAction& start, QWidget* parent)
    : QScrollArea(parent), m_summaries(summaries), m_page(new QWidget),
      m_prepared(new NoteLabel(NoteLabel::Tone::Muted)), m_demonstration(new Demonstration(kGap))
{
    setObjectName(QStringLiteral("start_page"));
    setAccessibleName(tr("Start page"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QVBoxLayout* const rows = columnIn(m_page, {kMargin, kMargin, kMargin, kMargin}, kGap, {});
    makeHead(start, *rows);
    rows->addWidget(m_demonstration, 0, Qt::AlignLeft);
    m_recent = makeSection(tr("Go on with"), *rows);
    m_offered[OfferKind::First] = makeSection(tr("Start here: needs no data"), *rows);
    m_offered[OfferKind::Own] = makeSection(tr("Your own"), *rows);
    m_offered[OfferKind::More] = makeSection(tr("More runs"), *rows);
    addGuide(*rows);
    connect(m_demonstration, &Demonstration::ownRunWanted, this, [this] {
        for (const Offer& offer : m_offers) {
            if (offer.card->objectName()
                == QLatin1String("start_") + QLatin1String(kPoisonedPreset)) {
                return emit startWanted(offer.config);
            }
        }
    });
    rows->addStretch(1);
    setWidget(m_page);
    setBackgroundRole(QPalette::Window);
    refreshPresets();
    connect(&m_summaries, &RunSummaries::summarised, this, [this](const RunRow& run) {
        m_runs[run.folder] = run;
    });
    connect(&m_summaries, &RunSummaries::listed, this, [this](const QStringList& folders) {
        std::erase_if(m_runs, [&](const auto& run) { return !folders.contains(run.first); });
    });
    connect(&m_summaries, &RunSummaries::refreshed, this, &StartPage::showRuns);
}

void StartPage::makeHead(QAction& start, QVBoxLayout& rows)
{
    auto* const title = new QLabel(tr("What should the towers learn?"));
    QFont large = title->font();
    large.setPointSizeF(kHeadScale * large.pointSizeF());
    title->setFont(large);
    m_prepared->setObjectName(QStringLiteral("start_prepared"));
    auto* const button = new QPushButton(start.icon(), start.iconText());
    button->setObjectName(QStringLiteral("start_button"));
    const auto follow = [button, &start] {
        button->setEnabled(start.isEnabled());
        button->setToolTip(start.toolTip());
    };
    connect(&start, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, &start, &QAction::trigger);
    follow();
    rows.addWidget(title);
    rows.addLayout(rowOf({button, {m_prepared, 1}}, kGap));
}

StartPage::Section StartPage::makeSection(const QString& title, QVBoxLayout& rows)
{
    Section section{headingLabel(title), new QGridLayout, {}};
    section.heading->setContentsMargins(0, kBetweenSections, 0, 0);
    section.grid->setSpacing(kGap);
    rows.addWidget(section.heading);
    rows.addLayout(section.grid);
    return section;
}

void StartPage::addGuide(QVBoxLayout& rows)
{
    makeSection(tr("What the charts tell"), rows);
    auto* const lines = new NoteLabel(NoteLabel::Tone::Muted);
    lines->setNote(QStringList{
        tr("Loss: every tower's and their mean. The classic scripts print the last tower's as if "
           "it were the loss."),
        tr("Throughput: examples per second of all towers together, and the classic seconds per "
           "batch."),
        tr("Last tower − mean, Var(last) ÷ Var(mean): how far its loss is off, and whether "
           "chance explains it."),
        tr("Barrier clock: where each tower's time goes, and for whom the others wait."),
        tr("Gradients: how well the towers agree, and whether a larger batch would pay.")}
                       .join(QLatin1Char('\n')));
    rows.addWidget(lines);
}

void StartPage::removeCards(QGridLayout& grid, const std::vector<StartCard*>& cards)
{
    for (StartCard* const card : cards) {
        grid.removeWidget(card);
        card->hide();
        card->deleteLater(); // it may be its own menu that asks for this
    }
}

void StartPage::refreshPresets()
{
    for (auto& [kind, section] : m_offered) {
        removeCards(*section.grid, std::exchange(section.cards, {}));
    }
    m_offers.clear();
    for (const auto& [kind, preset] : startOffers()) {
        addOffer(kind, preset);
    }
    const auto addDoor = [this](
                             const char* name, const QString& title, const QString& text,
                             void (StartPage::*wanted)()) {
        auto* const card = new StartCard(QString::fromLatin1(name), title, text, m_page);
        connect(card, &StartCard::clicked, this, wanted);
        m_offered[OfferKind::Own].cards.push_back(card);
    };
    addDoor(
        "start_watch", tr("Watch my PyTorch training…"),
        tr("A few lines in your script, and its ranks appear here while they train"),
        &StartPage::watchWanted);
    addDoor(
        "start_open", tr("Open anything…"), tr("A run, a checkpoint, a configuration, a network"),
        &StartPage::fileWanted);
    QWidget* before = m_recent.cards.empty() ? &m_demonstration->lastOfIt() : m_recent.cards.back();
    for (const auto& [kind, section] : m_offered) {
        for (StartCard* const card : section.cards) {
            setTabOrder(std::exchange(before, card), card);
        }
    }
    arrange();
    askForExpectations();
}

void StartPage::addOffer(OfferKind kind, const Preset& preset)
{
    auto* const card = new StartCard(
        QStringLiteral("start_") + preset.name, preset.title, preset.description, m_page);
    card->setCheckable(true);
    const bool isPictures = preset.name == QLatin1String(kPicturesPreset);
    connect(card, &StartCard::clicked, this, [this, card, isPictures, config = preset.config] {
        card->setChecked(false); // until the form says so
        isPictures ? emit picturesWanted(config) : emit chosen(config);
    });
    if (preset.isOwn) {
        card->setContextMenuPolicy(Qt::ActionsContextMenu);
        card->setToolTip(tr("Your own preset: the right button renames or removes it"));
        const auto add = [&](const QString& text, auto wanted) {
            card->addAction(text, this, [=, this] { emit(this->*wanted)(preset); });
        };
        add(tr("Re&name This Preset…"), &StartPage::newNameWanted);
        add(tr("&Remove This Preset…"), &StartPage::removalWanted);
    }
    card->setFigures(tr("measuring …"));
    if (preset.name == QLatin1String(kDefectsPreset)) {
        card->setPicture(defectPictures(kDefects));
    } else {
        card->setCurves(curvesOfPreset(preset.name));
    }
    m_offered[kind].cards.push_back(card);
    m_offers.push_back({card, preset.config, toToml(preset.config)});
    card->setChecked(m_offers.back().toml == m_preparedToml);
}

void StartPage::setPrepared(const QString& text, const RunConfig& config)
{
    m_prepared->setNote(text);
    m_preparedToml = toToml(config);
    for (const Offer& offer : m_offers) {
        offer.card->setChecked(offer.toml == m_preparedToml);
    }
}

/// The newest few, with their little curves. A run keeps its card: a person may be at it.
void StartPage::showRuns()
{
    if (!isVisible()) {
        return;
    }
    std::vector<const RunRow*> newest;
    for (const auto& [folder, run] : m_runs) {
        if (run.stage != RunStage::Unreadable && run.stepsDone > 0) {
            newest.push_back(&run);
        }
    }
    std::ranges::sort(newest, std::greater(), [](const RunRow* run) { return run->started; });
    newest.resize(
        std::min(newest.size(), static_cast<std::size_t>(std::max(columns(), kFewestRuns))));
    std::vector<StartCard*> before = std::exchange(m_recent.cards, {});
    for (const RunRow* const run : newest) {
        const auto known = std::ranges::find(before, run->folder, &StartCard::toolTip);
        StartCard* const card = known != before.end() ? *known : makeRunCard(run->folder);
        std::erase(before, card);
        card->setTexts(run->name, textOf(*run));
        card->setFigures(QLocale().toString(run->started, QLocale::ShortFormat));
        card->setCurves({run->curve});
        setTabOrder(
            m_recent.cards.empty() ? &m_demonstration->lastOfIt() : m_recent.cards.back(), card);
        m_recent.cards.push_back(card);
    }
    removeCards(*m_recent.grid, before);
    arrange();
}

StartCard* StartPage::makeRunCard(const QString& folder)
{
    auto* const card = new StartCard(QStringLiteral("start_run"), {}, {}, m_page);
    card->setToolTip(folder);
    connect(card, &StartCard::clicked, this, [this, run = toPath(folder)] { emit runChosen(run); });
    return card;
}

void StartPage::askForExpectations()
{
    if (!isVisible()) {
        return;
    }
    std::vector<RunConfig> configs;
    std::ranges::transform(m_offers, std::back_inserter(configs), &Offer::config);
    emit expectationsWanted(configs);
}

void StartPage::showExpectation(
    const std::string& config, const std::optional<RunExpectation>& expected)
{
    for (const Offer& offer : m_offers) {
        if (offer.toml == config) {
            offer.card->setFigures(expected ? textOf(*expected) : tr("time not known"));
            if (expected && offer.card->actions().isEmpty()) { // else it tells what these do
                offer.card->setToolTip(explanationOf(*expected));
            }
        }
    }
}

int StartPage::columns() const
{
    const int room = viewport()->width() - 2 * kMargin;
    return std::clamp((room + kGap) / (kLeastCard + kGap), 1, kMostColumns);
}

/// In as many columns as there is room for, the same for all; a section's cards are as high as its
/// highest.
void StartPage::arrange()
{
    const int columns = this->columns();
    const int width = (viewport()->width() - 2 * kMargin - (columns - 1) * kGap) / columns;
    m_demonstration->arrange(columns * (width + kGap) - kGap, width);
    for (Section* const section :
         {&m_recent, &m_offered[OfferKind::First], &m_offered[OfferKind::Own],
          &m_offered[OfferKind::More]}) {
        section->heading->setVisible(!section->cards.empty());
        int height = 0;
        for (const StartCard* const card : section->cards) {
            height = std::max(height, card->heightForWidth(width));
        }
        for (int place = 0; StartCard* const card : section->cards) {
            card->setFixedSize(width, height);
            section->grid->addWidget(card, place / columns, place % columns, Qt::AlignLeft);
            card->show();
            ++place;
        }
        for (int column = 0; column <= kMostColumns; ++column) { // those that are not there, too
            section->grid->setColumnStretch(column, column == columns ? 1 : 0);
        }
    }
}

void StartPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    showRuns();
    m_summaries.refresh();
    askForExpectations();
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void StartPage::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
    }
}

} // namespace lockstep::ui
