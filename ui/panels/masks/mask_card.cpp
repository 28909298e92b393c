// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/masks/mask_card.h"

#include "bridge/preview/input_picture.h"
#include "engine/data.h"
#include "engine/records.h"
#include "panels/masks/mask_text.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"

#include <QPainter>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kCardMargin = 6;
constexpr int kBar = 4; // in the colour of the tower
constexpr int kLeft = kBar + kCardMargin;
constexpr int kWordsGap = 8;
constexpr int kMostTitle = 200; // beside the pictures
constexpr int kLines = 2;
constexpr int kLeastView = 60;

} // namespace

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

void MaskCard::setThreshold(double threshold)
{
    m_view->setThreshold(threshold);
}

void MaskCard::fitHeight(int height, bool areWordsBeside)
{
    m_areWordsBeside = areWordsBeside;
    const int line = fontMetrics().height();
    int words = areWordsBeside ? std::min(kMostTitle, fontMetrics().horizontalAdvance(m_title)) : 0;
    for (const QString& text : m_lines) {
        words = std::max(words, fontMetrics().horizontalAdvance(text));
    }
    const int above = areWordsBeside ? 0 : line;
    const int below = areWordsBeside ? 0 : kLines * line;
    const int picture = std::max(kLeastView, height - 2 * kCardMargin - above - below);
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
    const ThemeColors theme = themeColors(palette());
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

} // namespace lockstep::ui
