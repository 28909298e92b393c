// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pictures/picture_area.h"

#include <QStringList>

namespace lockstep::ui {

struct PictureCard
{
    QImage image;
    QString title;
    QStringList lines; ///< wrapped where they are long
    QRectF box;        ///< a frame on the picture, in shares of its sides; none where it is empty
};

/// Pictures of any size, each with its words, beside and below each other. Small ones are shown
/// with whole pixels, large ones shrunk. What the current one says is told to screen readers.
class PictureCards : public PictureArea
{
    Q_OBJECT

public:
    /// `accessibleName` says what the pictures are of.
    explicit PictureCards(const QString& accessibleName, QWidget* parent = nullptr);

    /// The first one becomes the current one, without a word.
    void setCards(std::vector<PictureCard> cards);
    [[nodiscard]] const std::vector<PictureCard>& cards() const noexcept { return m_cards; }
    void setBox(int card, const QRectF& box);
    /// The picture of a card, which comes later than its words.
    void setImage(int card, const QImage& image);
    /// Where a picture is painted, in the viewport's coordinates.
    [[nodiscard]] QRectF pictureRect(int card) const;

    [[nodiscard]] QSize sizeHint() const override { return {420, 200}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 64}; }

protected:
    void relayout() override;
    [[nodiscard]] const std::vector<QRect>& cells() const override { return m_places; }
    void describe() override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCard(QPainter& painter, int card) const;

    std::vector<PictureCard> m_cards;
    std::vector<QRect> m_places; ///< of the cards, before scrolling
};

} // namespace lockstep::ui
