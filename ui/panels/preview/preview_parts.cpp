// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_parts.h"

#include "panels/shared/row_painting.h"
#include "plots/axes/number_text.h"
#include "theme/icons.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/picture_cards.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kPercent = 100;
constexpr int kBarWidth = 240;
constexpr int kMessageMargin = 16;

/// A person who types is not asked for after every digit.
constexpr int kStepSettleMilliseconds = 250;

QString titleOf(const ExampleDraw& draw, const ExampleStudy& study)
{
    if (study.split == Split::Test) {
        return StudyView::tr("In an evaluation");
    }
    const QString epoch = countText(draw.epoch);
    return draw.epoch == study.visit.epoch ? StudyView::tr("Epoch %1, this step").arg(epoch)
                                           : StudyView::tr("Epoch %1").arg(epoch);
}

PictureCard originalCard(const ExampleStudy& study)
{
    const QString size = StudyView::tr("%1 × %2 pixels")
                             .arg(countText(study.size.width()), countText(study.size.height()));
    QStringList lines{study.className, size};
    const QString number = countText(study.visit.example);
    if (study.name != QString::number(study.visit.example)) {
        lines << study.name;
    }
    return {study.original, StudyView::tr("Original, example %1").arg(number), lines, {}};
}

constexpr int kNameWidth = 180;
constexpr int kFewRows = 100; ///< by which the widths of columns are measured
constexpr qint64 kWidestCount = 10'000'000;

/// Names of classes without examples that are listed; of more, their number says enough.
constexpr qsizetype kMostNamed = 5;

/// `filled`: numbers of the classes that have examples.
QString evennessText(
    const std::vector<QString>& names, const std::vector<std::int64_t>& counts,
    const std::vector<std::size_t>& filled)
{
    if (filled.empty()) {
        return {};
    }
    const auto countOf = [&](std::size_t number) { return counts[number]; };
    const std::size_t largest = *std::ranges::max_element(filled, {}, countOf);
    const std::size_t smallest = *std::ranges::min_element(filled, {}, countOf);
    const QString most = countText(counts[largest]);
    if (counts[largest] == counts[smallest]) {
        return BalancePage::tr("%1 each").arg(most);
    }
    const double factor =
        static_cast<double>(counts[largest]) / static_cast<double>(counts[smallest]);
    return BalancePage::tr(
               "the largest class (%1: %2) has %3 times as many as the smallest (%4: %5)")
        .arg(
            names[largest], most, QLocale().toString(factor, 'f', factor < 1.1 ? 2 : 1),
            names[smallest], countText(counts[smallest]));
}

QString emptyText(const QStringList& empty)
{
    if (empty.isEmpty()) {
        return {};
    }
    const QString names =
        empty.size() <= kMostNamed
            ? empty.join(QStringLiteral(", "))
            : empty.first(kMostNamed).join(QStringLiteral(", ")) + QStringLiteral(" …");
    return empty.size() == 1 ? BalancePage::tr("1 class has no examples: %1").arg(names)
                             : BalancePage::tr("%1 classes have no examples: %2")
                                   .arg(countText(empty.size()), names);
}

QString splitText(
    const QString& split, const ClassBalance& balance, const std::vector<std::int64_t>& counts)
{
    const std::vector<QString>& names = balance.classNames;
    std::vector<std::size_t> filled;
    QStringList empty;
    for (std::size_t number = balance.firstClass; number < counts.size(); ++number) {
        if (counts[number] == 0) {
            empty << names[number];
        } else {
            filled.push_back(number);
        }
    }
    QStringList parts{
        BalancePage::tr("%1: %2 examples of %3 classes")
            .arg(
                split, countText(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})),
                countText(static_cast<qint64>(counts.size() - balance.firstClass))),
        evennessText(names, counts, filled), emptyText(empty)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

} // namespace

PreviewMessage::PreviewMessage(QWidget* parent)
    : QWidget(parent), m_text(selectableLabel()), m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)), m_again(new QPushButton(tr("Try Again"), this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setAccessibleName(tr("Data preview"));
    m_bar->setObjectName(QStringLiteral("preview_progress"));
    m_bar->setRange(0, kPercent);
    m_bar->setMaximumWidth(kBarWidth);
    m_cancel->setObjectName(QStringLiteral("preview_cancel"));
    m_cancel->setToolTip(tr("Ends the loading of the data set"));
    m_again->setObjectName(QStringLiteral("preview_again"));
    m_again->setToolTip(tr("Opens the data set and makes the preview again"));
    connect(m_cancel, &QPushButton::clicked, this, &PreviewMessage::cancelled);
    connect(m_again, &QPushButton::clicked, this, &PreviewMessage::again);
    columnIn(
        this, {kMessageMargin, kMessageMargin / 2, kMessageMargin, kMessageMargin / 2},
        kUsualSpacing,
        {space(), m_text, rowOf({space(), m_bar, m_cancel, m_again, space()}), space()});
}

void PreviewMessage::setLoading(const QString& text, double share)
{
    showParts(text, true, false);
    m_bar->setValue(static_cast<int>(std::lround(share * kPercent)));
}

void PreviewMessage::showParts(const QString& text, bool isLoading, bool isProblem)
{
    m_text->setText(text);
    m_bar->setVisible(isLoading);
    m_cancel->setVisible(isLoading);
    m_again->setVisible(isProblem);
}

PreviewSteps::PreviewSteps(QWidget* parent) : QWidget(parent), m_box(new WholeNumberBox(this))
{
    QHBoxLayout* const layout = rowIn(this, {}, 2, {});
    const auto add = [&](const char* name, IconName drawing, const QString& toolTip) {
        auto* const button = new QToolButton(this);
        describeInput(*button, QLatin1String(name), toolTip, toolTip);
        button->setIcon(icon(drawing));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(button);
        return button;
    };
    m_first = add("preview_first", IconName::First, tr("First"));
    m_previous = add("preview_previous", IconName::Previous, tr("Previous"));
    layout->addWidget(m_box);
    m_next = add("preview_next", IconName::Next, tr("Next"));
    m_newest = add("preview_newest", IconName::Follow, tr("Newest step of the run"));
    m_box->setObjectName(QStringLiteral("preview_step"));
    new WheelGuard(m_box);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kStepSettleMilliseconds);
    connect(m_first, &QToolButton::clicked, this, [this] { choose(0); });
    connect(m_previous, &QToolButton::clicked, this, [this] { choose(m_step - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { choose(m_step + 1); });
    connect(m_newest, &QToolButton::clicked, this, &PreviewSteps::newestWanted);
    connect(m_box, &WholeNumberBox::textChanged, this, [this] { m_settled.start(); });
    connect(&m_settled, &QTimer::timeout, this, &PreviewSteps::onTyped);
    setRange(0, {}, true);
}

void PreviewSteps::setStep(qint64 step)
{
    m_step = step;
    const QSignalBlocker isNotTyped(m_box);
    if (!m_settled.isActive() && m_box->value() != step) {
        m_box->setValue(step);
    }
    updateButtons();
}

void PreviewSteps::setRange(qint64 last, const QString& name, bool hasNewest)
{
    m_last = last;
    m_newest->setEnabled(hasNewest);
    m_box->setRange({0, last, 1});
    m_box->setAccessibleName(name);
    m_box->setToolTip(name);
    updateButtons();
}

void PreviewSteps::choose(qint64 step)
{
    m_settled.stop();
    setStep(std::clamp<qint64>(step, 0, m_last));
    emit stepChosen(m_step);
}

/// Nothing while there is no number in the box.
void PreviewSteps::onTyped()
{
    const auto typed = m_box->value();
    if (typed && *typed != m_step && *typed >= 0) {
        choose(*typed);
    }
}

void PreviewSteps::updateButtons()
{
    m_first->setEnabled(m_step > 0);
    m_previous->setEnabled(m_step > 0);
    m_next->setEnabled(m_step < m_last);
}

StudyView::StudyView(QWidget* parent)
    : QWidget(parent), m_title(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_cards(new PictureCards(tr("An example and its distortions"), this))
{
    m_title->setNote(tr("One image, epoch by epoch: what is drawn for it"));
    m_problem->setObjectName(QStringLiteral("preview_study_problem"));
    auto* const close = new QToolButton(this);
    close->setObjectName(QStringLiteral("preview_study_close"));
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(tr("Closes this part; a click on an image brings it back"));
    close->setAccessibleName(tr("Close the example"));
    connect(close, &QToolButton::clicked, this, &StudyView::closed);
    connect(m_cards, &PictureCards::currentChanged, this, &StudyView::showBox);
    columnIn(
        this, {}, 0,
        {rowOf({{m_title, 1}, close}, kUsualSpacing, {10, 0, 4, 0}), m_problem, {m_cards, 1}});
}

void StudyView::setStudy(const ExampleStudy& study)
{
    m_problem->setNote(study.problem);
    std::vector<PictureCard> cards;
    m_crops.clear();
    if (!study.draws.empty()) {
        cards.push_back(originalCard(study));
        m_crops.push_back(study.draws.front().crop);
    }
    for (const ExampleDraw& draw : study.draws) {
        cards.push_back({draw.image, titleOf(draw, study), draw.words, {}});
        m_crops.push_back(draw.crop);
    }
    m_cards->setCards(std::move(cards));
    if (!m_crops.empty()) {
        showBox(0);
    }
}

/// What is cut out of the original for this card; for its own, what this step cuts out.
void StudyView::showBox(int card)
{
    m_cards->setBox(0, m_crops[static_cast<std::size_t>(card)]);
}

BalancePage::BalancePage(QWidget* parent)
    : QWidget(parent), m_table(new QuietTable(
                           QStringLiteral("preview_classes"), tr("Examples of each class"), this)),
      m_words(new NoteLabel(NoteLabel::Tone::Plain, this))
{
    m_words->setObjectName(QStringLiteral("preview_balance"));
    makeTable();
    columnIn(this, {10, 2, 10, 4}, 4, {m_words, {m_table, 1}});
}

void BalancePage::makeTable()
{
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(ValueRole);
    m_order.setSortLocaleAware(true);
    m_table->setModel(&m_order);
    auto* const bars = new BarDelegate(QLocale().toString(kWidestCount), m_table);
    m_table->setAlternatingRowColors(true);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setResizeContentsPrecision(kFewRows);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ClassBalanceModel::Name, QHeaderView::Interactive);
    header->resizeSection(ClassBalanceModel::Name, kNameWidth);
    for (const int column : {ClassBalanceModel::Train, ClassBalanceModel::Test}) {
        m_table->setItemDelegateForColumn(column, bars);
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    header->setSortIndicator(ClassBalanceModel::Label, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
}

void BalancePage::setBalance(const ClassBalance& balance)
{
    std::vector<ClassBalanceRow> rows;
    for (std::size_t i = 0; i < balance.classNames.size(); ++i) {
        rows.push_back(
            {balance.classNames[i], balance.train[i], balance.test[i], i >= balance.firstClass});
    }
    m_model.setRows(std::move(rows));
    m_words->setNote(
        (balance.layout.isEmpty() ? QString() : balance.layout + u'\n') + balanceText(balance));
}

QString balanceText(const ClassBalance& balance)
{
    QStringList lines{
        splitText(BalancePage::tr("Train"), balance, balance.train),
        splitText(BalancePage::tr("Test"), balance, balance.test)};
    if (balance.isTrainedBalanced) {
        lines << BalancePage::tr("Batches are balanced: each is half clean, half defective.");
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
