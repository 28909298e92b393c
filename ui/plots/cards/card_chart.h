// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/axes/plot_scale.h"
#include "plots/parts/hover_card.h"
#include "plots/parts/plot_header.h"

#include <QPixmap>
#include <QPointer>
#include <QWidget>

#include <optional>

namespace lockstep::ui {

/// A hover card that floats above the whole window, for charts that have no room for it.
class CardBubble : public QWidget
{
    Q_OBJECT

public:
    /// Nothing is shown yet. `chart` is what the cards are about.
    explicit CardBubble(QWidget& chart);

    /// Shows a card beside a point of the chart, on which it does not lie.
    void showCard(const HoverCard& card, QPoint point);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_chart;
    HoverCard m_card;
    QPoint m_point; ///< in this widget
};

/// Where the cross-hair of a CardChart stands.
struct ChartPoint
{
    double position = 0.0;                      ///< on the x axis
    std::optional<double> value = std::nullopt; ///< on the y axis
};

/// A small chart on a card, in the style of PlotView, of a few hundred values that its owner hands
/// it: title line, thin grid, cross-hair with a card of figures. It always shows all that it has.
/// What is painted is kept until something changes, so that the cross-hair costs next to nothing.
///
/// Keys: left and right move the cross-hair, Home and End go to its ends, up and down to another
/// value, Escape takes it away.
class CardChart : public QWidget
{
    Q_OBJECT

public:
    ~CardChart() override;

    /// Shown in the middle while there is nothing to draw.
    void setEmptyText(const QString& text);
    /// Where the cross-hair of another chart beside it stands; tells nobody.
    void setCrossHair(std::optional<double> position);
    [[nodiscard]] const std::optional<ChartPoint>& crossHair() const noexcept { return m_point; }
    /// What the cross-hair's card says; no rows without a cross-hair.
    [[nodiscard]] HoverCard card() const;
    /// What the chart shows, in a sentence, for those who cannot see it.
    [[nodiscard]] QString summary() const { return isEmpty() ? m_emptyText : m_caption; }
    [[nodiscard]] PlotScale scale() const { return scaleWithin(plotArea()); }

    [[nodiscard]] QSize sizeHint() const override { return {260, 150}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {110, 66}; }

signals:
    void crossHairMoved(std::optional<double> position);

protected:
    /// `meaning` of the figures: shown on hover over the title line.
    CardChart(
        const QString& title, const QString& meaning, const ValueFormat& format, QWidget* parent);

    [[nodiscard]] virtual bool isEmpty() const = 0;
    [[nodiscard]] virtual std::vector<LegendKey> legend() const { return {}; }
    /// What the x axis counts; empty: as its kind says.
    [[nodiscard]] virtual QString xName() const { return {}; }
    /// All that there is, on so much room.
    [[nodiscard]] virtual PlotScale scaleWithin(const QRectF& area) const = 0;
    /// Inside the grid, which is painted already.
    virtual void paintBody(QPainter& painter, const PlotScale& scale) const = 0;
    /// Where there are values, by ascending place.
    [[nodiscard]] virtual std::vector<double> places() const = 0;
    [[nodiscard]] virtual HoverCard cardAt(const ChartPoint& point) const = 0;

    /// The current values, with their units; shown behind the title. Paints it anew, too.
    void setCaption(const QString& caption);
    /// Paints it anew, as soon as it is visible.
    void dataChanged();
    [[nodiscard]] const ThemeColors& theme() const noexcept { return m_theme; }

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF headerLine() const;
    [[nodiscard]] QRectF plotArea() const;
    void renderFrame();
    void paintCrossHair(QPainter& painter) const;
    void moveTo(const ChartPoint& point);
    void takeAway();
    void showCard();
    /// The place that is `steps` behind the one closest to a position; not beyond the last.
    [[nodiscard]] double placeNear(double position, int steps) const;

    PlotHeader m_header;
    const QString m_meaning;
    const ValueFormat m_format;
    QString m_caption;
    QString m_emptyText;
    ThemeColors m_theme;
    std::optional<ChartPoint> m_point;
    /// Of the window, which may go first; none before the first cross-hair.
    QPointer<CardBubble> m_bubble;
    QPixmap m_frame;
    bool m_isStale = true;
    bool m_isCaptionCut = false;
};

} // namespace lockstep::ui
