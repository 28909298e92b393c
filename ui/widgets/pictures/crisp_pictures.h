// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// The size at which a picture fills the room: a whole number of screen pixels for each of its own,
/// or as many fewer as it takes.
QSizeF crispSize(const QSize& picture, const QSizeF& room, double devicePixelRatio);

/// A class and how probable it is called.
struct ClassBar
{
    QString name;
    double probability = 0.0; ///< 0 to 1
    bool isLabel = false;     ///< it is what the image is
};

/// An image, enlarged without smoothing so that each of its pixels is seen, and beside it the
/// classes that a network calls most probable, as bars. The label's is blue, others are orange, as
/// with masks. GUI thread.
class ClassAnswer : public QWidget
{
    Q_OBJECT

public:
    explicit ClassAnswer(QWidget* parent = nullptr);

    /// The most probable class first. A null image empties it.
    void setAnswer(const QImage& image, std::vector<ClassBar> bars);
    [[nodiscard]] const QImage& image() const noexcept { return m_image; }
    [[nodiscard]] const std::vector<ClassBar>& bars() const noexcept { return m_bars; }
    /// Where the image is painted. Empty without one.
    [[nodiscard]] QRectF imageRect() const;

    [[nodiscard]] QSize sizeHint() const override { return {280, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Higher than wide: the bars are below.
    [[nodiscard]] bool isStacked() const { return height() > width() * 1.2; }
    void paintBar(QPainter& painter, const ClassBar& bar, const QRectF& place) const;

    QImage m_image;
    std::vector<ClassBar> m_bars;
};

/// Small pictures of one size beside and below each other, as large as there is room, each of their
/// pixels a whole number of pixels on the screen.
class TileView : public QWidget
{
    Q_OBJECT

public:
    /// `accessibleName` says what the pictures are of.
    explicit TileView(const QString& accessibleName, QWidget* parent = nullptr);

    /// None: `text` is shown instead.
    void setTiles(std::vector<QImage> tiles, const QString& text);
    [[nodiscard]] const std::vector<QImage>& tiles() const noexcept { return m_tiles; }
    [[nodiscard]] QRectF tileRect(int tile) const;

    [[nodiscard]] QSize sizeHint() const override { return {240, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Pixels of the screen for one of a picture, and pictures in a row.
    struct Layout
    {
        int scale = 1;
        int columns = 1;
    };
    [[nodiscard]] Layout fitting() const;

    std::vector<QImage> m_tiles;
    QString m_text;
};

} // namespace lockstep::ui
