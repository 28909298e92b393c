// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/start_card.h"

#include "panels/shared/small_curve.h"
#include "theme/palette.h"

#include <QPainter>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kInside = 12;
constexpr int kBetween = 4;
constexpr int kCurveHeight = 34;
constexpr int kUsualWidth = 220;
constexpr double kRadius = 6.0;

} // namespace

StartCard::StartCard(
    const QString& name, const QString& title, const QString& text, QWidget* parent)
    : QAbstractButton(parent), m_text(text)
{
    setObjectName(name);
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover); // its edge follows the pointer
}

void StartCard::setFigures(const QString& figures)
{
    m_figures = figures;
    setAccessibleDescription(QStringList{m_text, figures}.join(QStringLiteral(" · ")));
    updateGeometry();
    update();
}

void StartCard::setCurve(std::vector<SmallCurvePoint> curve)
{
    m_curve = std::move(curve);
    updateGeometry();
    update();
}

QFont StartCard::titleFont() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

int StartCard::textHeight(const QString& text, const QFont& font, int width) const
{
    const QRect room(0, 0, width - 2 * kInside, QWIDGETSIZE_MAX);
    return QFontMetrics(font, this).boundingRect(room, Qt::TextWordWrap, text).height();
}

int StartCard::heightForWidth(int width) const
{
    const int figures = fontMetrics().height() + kBetween; // also before they are known
    const int curve = m_curve.empty() ? 0 : kCurveHeight + kBetween;
    return 2 * kInside + textHeight(text(), titleFont(), width) + kBetween
           + textHeight(m_text, font(), width) + curve + figures;
}

QSize StartCard::sizeHint() const
{
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

void StartCard::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors theme = themeColors(palette());
    const bool isMarked = isChecked() || hasFocus() || underMouse();
    const double line = isChecked() ? 2.0 : 1.0;
    painter.setPen(QPen(isMarked ? theme.accent : theme.grid, line));
    painter.setBrush(isDown() ? theme.raised : theme.card);
    const double half = 0.5 * line;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), kRadius, kRadius);

    QRect room = rect().adjusted(kInside, kInside, -kInside, -kInside);
    const auto write = [&](const QString& text, const QFont& font, const QColor& color) {
        painter.setFont(font);
        painter.setPen(color);
        QRect used;
        painter.drawText(room, Qt::TextWordWrap, text, &used);
        room.setTop(used.bottom() + 1 + kBetween);
    };
    write(text(), titleFont(), theme.text);
    write(m_text, font(), theme.mutedText);
    if (!m_curve.empty()) {
        const int bottom = room.bottom() - fontMetrics().height() - kBetween;
        paintSmallCurve(
            painter, m_curve,
            QRectF(room.left(), bottom - kCurveHeight, room.width(), kCurveHeight), theme.accent);
    }
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(
        room, static_cast<int>(Qt::AlignBottom | Qt::AlignLeft),
        fontMetrics().elidedText(m_figures, Qt::ElideRight, room.width()));
}

} // namespace lockstep::ui
