// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/picture_cards.h"

#include "theme/palette.h"
#include "widgets/pictures/crisp_pictures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kPicture = 112; ///< room for a picture, a square
constexpr int kCardGap = 10;
constexpr int kWordsWidth = 170; ///< that they need in one column; there may be more
constexpr int kLeastWords = 60;
constexpr int kLineGap = 2;
constexpr double kFrame = 2.0;

QFont titleFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

PictureCards::PictureCards(const QString& accessibleName, QWidget* parent)
    : PictureArea(accessibleName, parent)
{
}

void PictureCards::setCards(std::vector<PictureCard> cards)
{
    m_cards = std::move(cards);
    relayout();
    setCurrent(0);
}

void PictureCards::setBox(int card, const QRectF& box)
{
    m_cards[static_cast<std::size_t>(card)].box = box;
    viewport()->update();
}

void PictureCards::setImage(int card, const QImage& image)
{
    m_cards[static_cast<std::size_t>(card)].image = image;
    viewport()->update();
}

/// All cards of a row are as high as the highest.
void PictureCards::relayout()
{
    const int room = viewport()->width() - kCardGap;
    const int least = kPicture + kCardGap + kWordsWidth + kCardGap;
    const int columns = std::clamp(room / least, 1, std::max(1, static_cast<int>(m_cards.size())));
    const int width = std::max(room / columns - kCardGap, kPicture + kCardGap + kLeastWords);
    const QFontMetrics title(titleFont(font()));
    const QFontMetrics metrics(font());
    m_places.clear();
    int top = kCardGap;
    int rowHeight = 0;
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const int column = static_cast<int>(i) % columns;
        if (i > 0 && column == 0) {
            top += rowHeight + kCardGap;
            rowHeight = 0;
        }
        const QRect words(0, 0, width - kPicture - kCardGap, QWIDGETSIZE_MAX);
        int height = title.boundingRect(words, Qt::TextWordWrap, m_cards[i].title).height();
        for (const QString& line : m_cards[i].lines) {
            height += kLineGap + metrics.boundingRect(words, Qt::TextWordWrap, line).height();
        }
        rowHeight = std::max({rowHeight, height, kPicture});
        m_places.emplace_back(kCardGap + column * (width + kCardGap), top, width, rowHeight);
    }
    setContentHeight(top + rowHeight + kCardGap);
}

QRectF PictureCards::pictureRect(int card) const
{
    const auto i = static_cast<std::size_t>(card);
    const QSizeF size =
        crispSize(m_cards[i].image.size(), {kPicture, kPicture}, devicePixelRatioF());
    const QPointF corner(
        m_places[i].left() + std::floor((kPicture - size.width()) / 2.0),
        m_places[i].top() - scrolled());
    return {corner, size};
}

void PictureCards::describe()
{
    if (m_cards.empty()) {
        setAccessibleDescription({});
        return;
    }
    const PictureCard& card = m_cards[static_cast<std::size_t>(current())];
    setAccessibleDescription((QStringList(card.title) + card.lines).join(QStringLiteral(", ")));
}

void PictureCards::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
    for (int i = 0; i < static_cast<int>(m_cards.size()); ++i) {
        const QRect place = m_places[static_cast<std::size_t>(i)].translated(0, -scrolled());
        if (place.intersects(viewport()->rect())) {
            paintCard(painter, i);
        }
    }
}

void PictureCards::paintCard(QPainter& painter, int card) const
{
    const PictureCard& shown = m_cards[static_cast<std::size_t>(card)];
    const ThemeColors theme = themeColors(palette());
    const QRectF picture = pictureRect(card);
    paintSmooth(painter, picture, shown.image);
    painter.setBrush(Qt::NoBrush);
    if (!shown.box.isEmpty()) {
        const QRectF box(
            picture.left() + shown.box.left() * picture.width(),
            picture.top() + shown.box.top() * picture.height(), shown.box.width() * picture.width(),
            shown.box.height() * picture.height());
        // On any ground: dark outside, light inside.
        painter.setPen(QPen(Qt::black, kFrame));
        painter.drawRect(box);
        painter.setPen(QPen(Qt::white, kFrame / 2.0));
        painter.drawRect(box);
    }
    if (card == current() && hasFocus()) {
        painter.setPen(QPen(theme.accent, kFrame));
        painter.drawRect(picture.adjusted(-kFrame, -kFrame, kFrame, kFrame));
    }
    QRect room = m_places[static_cast<std::size_t>(card)].adjusted(
        kPicture + kCardGap, -scrolled(), 0, -scrolled());
    const auto write = [&](const QFont& font, const QColor& color, const QString& text) {
        QRect used;
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, &used);
        room.setTop(used.bottom() + 1 + kLineGap);
    };
    write(titleFont(font()), card == current() ? theme.accent : theme.text, shown.title);
    for (const QString& line : shown.lines) {
        write(font(), theme.text, line);
    }
}

} // namespace lockstep::ui
