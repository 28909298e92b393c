// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/start_card.h"

#include "panels/shared/row_painting.h"
#include "panels/start/start_page.h"
#include "plots/parts/plot_header.h"
#include "theme/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kInside = 12;
constexpr int kBetween = 4;
constexpr int kPictureHeight = 36;
constexpr double kPictureRadius = 3.0;
constexpr int kUsualWidth = 220;
constexpr double kRadius = 6.0;

/// A preset in other words.
struct Tile
{
    OfferKind kind;
    const char* preset;
    QString title;
    QString text;
};

std::vector<Tile> tiles()
{
    return {
        {OfferKind::First, "first_look", StartPage::tr("First look"),
         StartPage::tr("Two towers learn drawn shapes: nine of ten right in a minute")},
        {OfferKind::First, kPoisonedPreset, StartPage::tr("See a poisoned tower"),
         StartPage::tr("One of four towers gets random labels: see it being found")},
        {OfferKind::First, kDefectsPreset, StartPage::tr("Find defects"),
         StartPage::tr("SegDecNet marks cracks in generated surfaces, then decides")},
        {OfferKind::Own, kPicturesPreset, StartPage::tr("Your own pictures…"),
         StartPage::tr("Inception v3 on a folder with a folder for each class")},
        {OfferKind::More, "quick_cifar10", StartPage::tr("CIFAR-10"),
         StartPage::tr("The classic tutorial: ten kinds of photographs, two towers of 128")}};
}

} // namespace

StartCard::StartCard(
    const QString& name, const QString& title, const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setObjectName(name);
    setTexts(title, text);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover); // its edge follows the pointer
}

void StartCard::setTexts(const QString& title, const QString& text)
{
    m_text = text;
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
}

void StartCard::setFigures(const QString& figures)
{
    m_figures = figures;
    setAccessibleDescription(QStringList{m_text, figures}.join(QStringLiteral(" · ")));
    updateGeometry();
    update();
}

void StartCard::setCurves(std::vector<std::vector<SmallCurvePoint>> curves)
{
    m_curves = std::move(curves);
    updateGeometry();
    update();
}

void StartCard::setPicture(const QImage& picture)
{
    m_picture = picture;
    updateGeometry();
    update();
}

int StartCard::textHeight(const QString& text, const QFont& font, int width) const
{
    const QRect room(0, 0, width - 2 * kInside, QWIDGETSIZE_MAX);
    return QFontMetrics(font, this).boundingRect(room, Qt::TextWordWrap, text).height();
}

int StartCard::heightForWidth(int width) const
{
    const int figures = fontMetrics().height() + kBetween; // also before they are known
    const int picture = m_curves.empty() && m_picture.isNull() ? 0 : kPictureHeight + 2 * kBetween;
    return 2 * kInside + textHeight(text(), boldOf(font()), width) + kBetween
           + textHeight(m_text, font(), width) + picture + figures;
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
    write(text(), boldOf(font()), theme.text);
    write(m_text, font(), theme.mutedText);
    const int bottom = room.bottom() - fontMetrics().height() - kBetween;
    paintPicture(
        painter, QRectF(room.left(), bottom - kPictureHeight, room.width(), kPictureHeight));
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(
        room, static_cast<int>(Qt::AlignBottom | Qt::AlignLeft),
        fontMetrics().elidedText(m_figures, Qt::ElideRight, room.width()));
}

void StartCard::paintPicture(QPainter& painter, const QRectF& room) const
{
    if (!m_picture.isNull()) { // from the left, as many as have room
        const double width = m_picture.width() * room.height() / m_picture.height();
        QPainterPath clip;
        clip.addRoundedRect(room, kPictureRadius, kPictureRadius);
        painter.save();
        painter.setClipPath(clip);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF(room.topLeft(), QSizeF(width, room.height())), m_picture);
        painter.restore();
        return;
    }
    const ThemeColors theme = themeColors(palette());
    std::vector<QColor> colors(m_curves.size(), theme.alert);
    if (!colors.empty()) {
        colors.front() = theme.accent;
    }
    paintSmallCurves(painter, m_curves, room, colors);
}

std::vector<std::pair<OfferKind, Preset>> startOffers()
{
    std::vector<std::pair<OfferKind, Preset>> all;
    for (const auto list : {presets, ownPresets}) {
        for (Preset& preset : list()) {
            all.emplace_back(OfferKind::More, std::move(preset));
        }
    }
    auto next = all.begin();
    for (const Tile& tile : tiles()) {
        const auto found = std::find_if(next, all.end(), [&](const auto& offer) {
            return offer.second.name == QLatin1String(tile.preset);
        });
        found->first = tile.kind;
        found->second.title = tile.title;
        found->second.description = tile.text;
        std::rotate(next, found, found + 1);
        ++next;
    }
    return all;
}

} // namespace lockstep::ui
