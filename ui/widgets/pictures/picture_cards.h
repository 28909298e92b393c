// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pictures/picture_area.h"

#include <QStringList>

namespace lockstep::ui {

/// A picture with words beside it.
struct PictureCard
{
    QImage image;
    QString title;
    QStringList lines; ///< wrapped where they are long
    QRectF box;        ///< a frame on the picture, in shares of its sides; none where it is empty
};

/// Pictures of any size, each with its words, beside and below each other. Small ones are shown
/// with whole pixels, large ones shrunk. The arrow keys and the mouse go from card to card; what
/// the current one says is told to screen readers.
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

signals:
    /// By a person.
    void currentChanged(int card);

protected:
    void relayout() override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void describe();
    void goTo(int card);
    void paintCard(QPainter& painter, int card) const;
    void paintWords(QPainter& painter, int card) const;

    std::vector<PictureCard> m_cards;
    std::vector<QRect> m_places; ///< of the cards, before scrolling
    int m_columns = 1;
    int m_current = 0;
};

} // namespace lockstep::ui
