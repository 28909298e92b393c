// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/confusion_view.h"

#include "theme/palette.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kMostOfSide = 0.3; ///< that names take
constexpr double kStrongest = 0.9;  ///< share of the colour over the card
constexpr double kWeakest = 0.1;    ///< of a cell that is not zero
constexpr double kReadable = 4.5;   ///< contrast of the numbers

} // namespace

ConfusionView::ConfusionView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Confusion matrix: rows are the labels, columns the predictions"));
    setFocusPolicy(Qt::StrongFocus);
}

void ConfusionView::setMatrix(
    std::vector<qint64> counts, std::vector<qint64> labelTotals, const QStringList& names)
{
    m_counts = std::move(counts);
    m_labelTotals = std::move(labelTotals);
    m_names = names;
    measureNames();
    m_mostConfused = 0.0;
    for (int row = 0; row < this->classes(); ++row) {
        for (int column = 0; column < this->classes(); ++column) {
            if (row != column) {
                m_mostConfused = std::max(m_mostConfused, share({row, column}));
            }
        }
    }
    const auto isThere = [this](int number) { return number < this->classes(); };
    if (m_chosen && !(isThere(m_chosen->label) && isThere(m_chosen->predicted))) {
        m_chosen.reset();
    }
    if (!isThere(m_cursor.label) || !isThere(m_cursor.predicted)) {
        m_cursor = {};
    }
    update();
}

qint64 ConfusionView::count(const MatrixPlace& place) const
{
    const int at = place.label * classes() + place.predicted;
    return m_counts[static_cast<std::size_t>(at)];
}

/// Of the images of the label.
double ConfusionView::share(const MatrixPlace& place) const
{
    const qint64 all = m_labelTotals[static_cast<std::size_t>(place.label)];
    return all == 0 ? 0.0 : static_cast<double>(count(place)) / static_cast<double>(all);
}

void ConfusionView::setShares(bool isShares)
{
    m_isShares = isShares;
    update();
}

void ConfusionView::setChosen(std::optional<MatrixPlace> place)
{
    m_chosen = place;
    update();
}

QString ConfusionView::cellText(const MatrixPlace& place) const
{
    if (count(place) == 0) {
        return {};
    }
    return m_isShares ? QLocale().toString(100.0 * share(place), 'f', 1)
                      : QLocale().toString(count(place));
}

/// All that is laid out needs it: for each cell anew, a matrix of many classes would take seconds.
void ConfusionView::measureNames()
{
    m_longestName = 0.0;
    for (const QString& name : m_names) {
        m_longestName = std::max<double>(m_longestName, fontMetrics().horizontalAdvance(name));
    }
}

void ConfusionView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        measureNames();
    }
    QWidget::changeEvent(event);
}

/// Where columns are too narrow for their names these stand upright.
bool ConfusionView::isColumnUpright() const
{
    const double left = std::min(m_longestName, width() * kMostOfSide);
    return m_longestName + kNameGap > (width() - left - kNameGap) / std::max(1, classes());
}

/// What the cells take, right and below of the names.
QRectF ConfusionView::area() const
{
    const double left = std::min(m_longestName, width() * kMostOfSide) + kNameGap;
    const double line = fontMetrics().height();
    const double top =
        (isColumnUpright() ? std::min(m_longestName, height() * kMostOfSide) : line) + kNameGap;
    return {left, top, width() - left - 1.0, height() - top - 1.0};
}

QRectF ConfusionView::cellRect(const MatrixPlace& place) const
{
    const QRectF all = area();
    // Edges on whole pixels: cells touch without seams.
    const auto edge = [this](double first, double size, int number) {
        const double ratio = devicePixelRatioF();
        return std::round((first + size * number / classes()) * ratio) / ratio;
    };
    return {
        QPointF(
            edge(all.left(), all.width(), place.predicted),
            edge(all.top(), all.height(), place.label)),
        QPointF(
            edge(all.left(), all.width(), place.predicted + 1),
            edge(all.top(), all.height(), place.label + 1))};
}

std::optional<MatrixPlace> ConfusionView::placeAt(const QPointF& point) const
{
    const QRectF all = area();
    if (classes() == 0 || !all.contains(point)) {
        return std::nullopt;
    }
    const auto number = [this](double share) {
        return std::clamp(static_cast<int>(share * classes()), 0, classes() - 1);
    };
    return MatrixPlace{
        number((point.y() - all.top()) / all.height()),
        number((point.x() - all.left()) / all.width())};
}

QString ConfusionView::words(const MatrixPlace& place) const
{
    const QString of =
        tr("%1 of %2 (%3 %)")
            .arg(
                QLocale().toString(count(place)),
                QLocale().toString(m_labelTotals[static_cast<std::size_t>(place.label)]),
                QLocale().toString(100.0 * share(place), 'f', 1));
    const QString& label = m_names[place.label];
    return place.label == place.predicted
               ? tr("%1, recognised: %2").arg(label, of)
               : tr("%1, taken for %2: %3").arg(label, m_names[place.predicted], of);
}

bool ConfusionView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto place = placeAt(help->pos());
        QToolTip::showText(
            help->globalPos(), place ? words(*place) : QString(), this,
            place ? cellRect(*place).toAlignedRect() : QRect());
        return true;
    }
    return QWidget::event(event);
}

void ConfusionView::choose(const std::optional<MatrixPlace>& place)
{
    m_chosen = place == m_chosen ? std::nullopt : place;
    setAccessibleDescription(m_chosen ? words(*m_chosen) : QString());
    update();
    emit chosenChanged(m_chosen);
}

void ConfusionView::mousePressEvent(QMouseEvent* event)
{
    if (const auto place = placeAt(event->position()); place && event->button() == Qt::LeftButton) {
        m_cursor = *place;
        choose(place);
    }
}

void ConfusionView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) && classes() > 0) {
        return choose(m_cursor);
    }
    if (key == Qt::Key_Escape && m_chosen) {
        return choose(std::nullopt);
    }
    if (key < Qt::Key_Left || key > Qt::Key_Down) {
        return QWidget::keyPressEvent(event);
    }
    int& number = key == Qt::Key_Left || key == Qt::Key_Right ? m_cursor.predicted : m_cursor.label;
    const int by = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    number = std::clamp(number + by, 0, std::max(0, classes() - 1));
    if (classes() > 0) {
        setAccessibleDescription(words(m_cursor));
    }
    update();
}

QColor ConfusionView::cellColor(const MatrixPlace& place) const
{
    const QColor card = themeColors(palette()).card;
    if (count(place) == 0) {
        return card;
    }
    const bool isRight = place.label == place.predicted;
    const double strength = isRight ? share(place) : share(place) / m_mostConfused;
    return mixed(
        isRight ? labelColor() : predictionColor(), card,
        kWeakest + (kStrongest - kWeakest) * strength);
}

void ConfusionView::paintEvent(QPaintEvent* /*event*/)
{
    if (classes() == 0) {
        return;
    }
    QPainter painter(this);
    paintCells(painter);
    paintNames(painter);
    paintFrames(painter);
}

void ConfusionView::paintCells(QPainter& painter) const
{
    const ThemeColors colors = themeColors(palette());
    const QRectF first = cellRect({0, 0});
    const QString widest = m_isShares ? QStringLiteral("100.0")
                                      : QLocale().toString(*std::ranges::max_element(m_counts));
    const bool hasNumbers = first.height() >= fontMetrics().height() - 2
                            && first.width() >= fontMetrics().horizontalAdvance(widest) + 2;
    for (int row = 0; row < classes(); ++row) {
        for (int column = 0; column < classes(); ++column) {
            const MatrixPlace place{row, column};
            const QRectF cell = cellRect(place);
            const QColor ground = cellColor(place);
            painter.fillRect(cell, ground);
            if (hasNumbers) {
                painter.setPen(withContrast(colors.text, ground, kReadable));
                painter.drawText(cell, Qt::AlignCenter, cellText(place));
            }
        }
    }
    painter.setPen(colors.grid);
    painter.drawRect(
        QRectF(first.topLeft(), cellRect({classes() - 1, classes() - 1}).bottomRight()));
}

/// Those for which there is room.
void ConfusionView::paintNames(QPainter& painter) const
{
    const QRectF all = area();
    const double line = fontMetrics().height();
    const double cell = all.height() / classes();
    const int every = std::max(1, static_cast<int>(std::ceil((line - 2) / cell)));
    painter.setPen(themeColors(palette()).mutedText);
    for (int i = 0; i < classes(); i += every) {
        const QRectF row = cellRect({i, 0});
        const QRectF place(0, row.center().y() - line / 2, all.left() - kNameGap, line);
        painter.drawText(
            place, Qt::AlignRight | Qt::AlignVCenter,
            fontMetrics().elidedText(m_names[i], Qt::ElideRight, static_cast<int>(place.width())));
    }
    const double column = all.width() / classes();
    const int step =
        isColumnUpright() ? std::max(1, static_cast<int>(std::ceil((line - 2) / column))) : 1;
    for (int i = 0; i < classes(); i += step) {
        paintColumnName(painter, i, cellRect({0, i}), all.top() - kNameGap);
    }
}

void ConfusionView::paintColumnName(
    QPainter& painter, int number, const QRectF& cell, double room) const
{
    const double line = fontMetrics().height();
    if (!isColumnUpright()) {
        painter.drawText(
            QRectF(cell.left(), 0, cell.width(), line), Qt::AlignCenter, m_names[number]);
        return;
    }
    painter.save();
    painter.translate(cell.center().x() - line / 2, room);
    painter.rotate(-90);
    painter.drawText(
        QRectF(0, 0, room, line), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(m_names[number], Qt::ElideRight, static_cast<int>(room)));
    painter.restore();
}

void ConfusionView::paintFrames(QPainter& painter) const
{
    constexpr double kFrame = 2.0;
    const auto frame = [&](const MatrixPlace& place, Qt::PenStyle style) {
        painter.setPen(QPen(themeColors(palette()).text, kFrame, style));
        painter.drawRect(cellRect(place).adjusted(1, 1, -1, -1));
    };
    if (m_chosen) {
        frame(*m_chosen, Qt::SolidLine);
    }
    if (hasFocus() && m_cursor != m_chosen) {
        frame(m_cursor, Qt::DotLine);
    }
}

} // namespace lockstep::ui
