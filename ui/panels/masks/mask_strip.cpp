// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/masks/mask_strip.h"

#include "bridge/preview/preview_batch.h"
#include "engine/data.h"
#include "engine/records.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/forms/layouts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <initializer_list>
#include <string>

namespace lockstep::ui {
namespace {

constexpr int kLossDigits = 4;

QString probabilityText(double share)
{
    return QLocale().toString(share, 'f', 2);
}

QString lossText(double loss)
{
    return QLocale().toString(loss, 'g', kLossDigits);
}

constexpr int kCardMargin = 6;
constexpr int kBar = 4; // in the colour of the tower
constexpr int kLeft = kBar + kCardMargin;
constexpr int kWordsGap = 8;
constexpr int kLines = 2;

constexpr int kGap = 10;

/// The same for all images, whatever is said of them: else the pictures of a run that trains would
/// change their size from step to step.
int widthOfWords(const QFontMetrics& metrics)
{
    ImageMasks image;
    image.label = 1;
    image.score = 0.0;
    image.probabilities = {0.0F, 1.0F};
    int width = metrics.horizontalAdvance(classText(image));
    const std::initializer_list<std::vector<float>> masks{{0.0F, 0.0F}, {0.0F, 1.0F}, {1.0F, 0.0F}};
    for (const std::vector<float>& mask : masks) {
        image.mask = mask;
        width = std::max(width, metrics.horizontalAdvance(peakText(image)));
    }
    return width;
}

} // namespace

QString maskTitle(const ImageMasks& image)
{
    return image.name == std::to_string(image.example)
               ? MaskCard::tr("example %L1").arg(image.example)
               : QString::fromStdString(image.name);
}

QString classText(const ImageMasks& image)
{
    const QString name = image.label == 0 ? MaskCard::tr("clean") : MaskCard::tr("defective");
    return image.score ? MaskCard::tr("%1, score %2", "a class; the decision's probability")
                             .arg(name, probabilityText(*image.score))
                       : name;
}

QString peakText(const ImageMasks& image)
{
    const auto peak = std::ranges::max_element(image.probabilities); // where it is surest
    const bool isAny = peak != image.probabilities.end();
    const QString value = probabilityText(isAny ? static_cast<double>(*peak) : 0.0);
    if (std::ranges::none_of(image.mask, [](float mark) { return mark > 0.0F; })) {
        return MaskCard::tr("peak %1, nothing is marked").arg(value);
    }
    const auto cell = static_cast<std::size_t>(peak - image.probabilities.begin());
    return isAny && image.mask[cell] > 0.0F ? MaskCard::tr("peak %1, in the label").arg(value)
                                            : MaskCard::tr("peak %1, outside the label").arg(value);
}

QString towerLossText(const TowerMasks& tower)
{
    QStringList parts;
    for (const NamedLoss& part : tower.objectives) {
        parts.append(
            QString::fromStdString(part.objective) + QLatin1Char(' ') + lossText(part.loss));
    }
    return MaskCard::tr("Loss %1: %2", "a tower's; of each objective")
        .arg(lossText(tower.loss), parts.join(QStringLiteral(", ")));
}

QString noMasksText(bool hasMasks, SessionController::State state, bool isLive)
{
    using State = SessionController::State;
    if (!hasMasks) {
        return MaskCard::tr("The network of this run predicts no masks; segdecnet does.");
    }
    if (state < State::Following || state > State::Paused) {
        return MaskCard::tr(
            "No process is training this run now: its masks are shown while it is trained.");
    }
    return isLive ? MaskCard::tr("The masks of the next step are shown here.")
                  : MaskCard::tr("Tick \"Live\" to see the masks of the next steps.");
}

MaskPicture maskPictureOf(const MaskRecord& record, const ImageMasks& image)
{
    const PixelValues range{0.0F, static_cast<float>(record.white)};
    return {
        inputPicture(image.input, record.input, range), image.mask, image.probabilities,
        static_cast<int>(record.mask.height), static_cast<int>(record.mask.width)};
}

MaskCard::MaskCard(QWidget* parent) : QWidget(parent), m_view(new MaskView(this))
{
    setFocusPolicy(Qt::StrongFocus);
}

void MaskCard::setImage(const MaskRecord& record, int tower, const ImageMasks& image)
{
    m_tower = tower;
    m_title =
        tr("Tower %L1: %2", "whose batch it is in; an image").arg(tower).arg(maskTitle(image));
    m_lines = {classText(image), peakText(image)};
    m_view->setPicture(maskPictureOf(record, image));
    setAccessibleName(m_title);
    setAccessibleDescription(
        m_lines.join(QStringLiteral(", ")) + QStringLiteral("; ")
        + m_view->accessibleDescription());
    setToolTip(
        m_title + QLatin1Char('\n') + m_lines.join(QLatin1Char('\n')) + QLatin1Char('\n')
        + towerLossText(record.towers[static_cast<std::size_t>(tower)]));
    update();
}

void MaskCard::fitHeight(int height, bool areWordsBeside)
{
    m_areWordsBeside = areWordsBeside;
    const int line = fontMetrics().height();
    const int words = widthOfWords(fontMetrics());
    const int above = areWordsBeside ? 0 : line;
    const int below = areWordsBeside ? 0 : kLines * line;
    const int picture =
        std::max(m_view->minimumSizeHint().height(), height - 2 * kCardMargin - above - below);
    const int width = m_view->widthFor(picture);
    m_view->setGeometry(kLeft, kCardMargin + above, width, picture);
    setFixedSize(
        kLeft + (areWordsBeside ? width + kWordsGap + words : std::max(width, words)) + kCardMargin,
        2 * kCardMargin + above + picture + below);
    update();
}

void MaskCard::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const ThemeColors theme = themeColors(*this);
    painter.fillRect(
        QRect(0, kCardMargin, kBar, height() - 2 * kCardMargin), towerColor(m_tower, theme));
    const int left = m_areWordsBeside ? m_view->geometry().right() + 1 + kWordsGap : kLeft;
    QRect line(left, kCardMargin, width() - left - kCardMargin, fontMetrics().height());
    painter.setPen(theme.text);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(m_title, Qt::ElideMiddle, line.width()));
    painter.setPen(theme.mutedText);
    line.moveTop(m_areWordsBeside ? line.bottom() + 1 : m_view->geometry().bottom() + 1);
    for (const QString& text : m_lines) {
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text);
        line.translate(0, line.height());
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

MaskStrip::MaskStrip(QWidget* parent) : QScrollArea(parent), m_row(new QWidget)
{
    setAccessibleName(tr("Images of the step with their masks"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    // Else the pictures, which are as wide as they are high, and the bar could chase each other.
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    rowIn(m_row, {}, kGap, {space()});
    setWidget(m_row);
}

void MaskStrip::setRecord(const MaskRecord& record, std::optional<int> tower)
{
    std::vector<std::pair<int, const ImageMasks*>> images;
    for (int i = 0; i < static_cast<int>(record.towers.size()); ++i) {
        if (!tower || *tower == i) {
            for (const ImageMasks& image : record.towers[static_cast<std::size_t>(i)].images) {
                images.emplace_back(i, &image);
            }
        }
    }
    setCount(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        m_cards[i]->setImage(record, images[i].first, *images[i].second);
    }
    fit();
}

/// Those that are there stay: one may have the keyboard.
void MaskStrip::setCount(std::size_t count)
{
    auto* const layout = qobject_cast<QHBoxLayout*>(m_row->layout());
    while (m_cards.size() > count) {
        delete m_cards.back();
        m_cards.pop_back();
    }
    while (m_cards.size() < count) {
        auto* const card = new MaskCard(m_row);
        card->setThreshold(m_threshold);
        layout->insertWidget(static_cast<int>(m_cards.size()), card, 0, Qt::AlignTop);
        m_cards.push_back(card);
    }
}

void MaskStrip::setThreshold(double threshold)
{
    m_threshold = threshold;
    for (MaskCard* const card : m_cards) {
        card->setThreshold(threshold);
    }
}

/// Words stand beside the pictures, which are higher then, unless not all would be seen.
void MaskStrip::fit()
{
    for (const bool areWordsBeside : {true, false}) {
        int width = -kGap;
        for (MaskCard* const card : m_cards) {
            card->fitHeight(viewport()->height(), areWordsBeside);
            width += kGap + card->width();
        }
        if (width <= viewport()->width()) {
            return;
        }
    }
}

void MaskStrip::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void MaskStrip::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fit();
    }
}

} // namespace lockstep::ui
