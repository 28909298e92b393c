// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/start_card.h"

#include "panels/shared/row_painting.h"
#include "panels/start/start_page.h"
#include "theme/palette.h"

#include <QPainter>
#include <malloc.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kInside = 12;
constexpr int kBetween = 4;
constexpr int kCurveHeight = 34;
constexpr int kUsualWidth = 220;
constexpr double kRadius = 6.0;

/// The processors' ceilings, measured once for all windows.
const HostCeilings& hostCeilings()
{
    static const HostCeilings ceilings =
        measureHostCeilings(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    return ceilings;
}

/// A preset in other words.
struct Tile
{
    const char* preset;
    QString title;
    QString text;
};

std::vector<Tile> tiles()
{
    return {
        {"first_look", StartPage::tr("First look"),
         StartPage::tr("Two towers learn drawn shapes. Needs no data: press Start and watch")},
        {"poisoned_tower", StartPage::tr("See a poisoned tower"),
         StartPage::tr("Break it on purpose: one of four towers gets random labels. Which "
                       "instrument finds it first?")},
        {"quick_cifar10", StartPage::tr("CIFAR-10"),
         StartPage::tr("The classic tutorial: ten kinds of photographs, two towers of 128")},
        {"segdecnet_defects", StartPage::tr("Find defects"),
         StartPage::tr(
             "SegDecNet marks cracks in generated surfaces, then decides. Needs no data")},
        {kPicturesPreset, StartPage::tr("Your own pictures…"),
         StartPage::tr(
             "Inception v3 on a folder with train and val, and in them a folder for each class")}};
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

std::vector<Preset> startOffers()
{
    std::vector<Preset> all = presets();
    std::ranges::move(ownPresets(), std::back_inserter(all));
    auto next = all.begin();
    for (const Tile& tile : tiles()) {
        const auto found =
            std::ranges::find(next, all.end(), QLatin1String(tile.preset), &Preset::name);
        found->title = tile.title;
        found->description = tile.text;
        std::rotate(next, found, found + 1);
        ++next;
    }
    return all;
}

std::vector<std::optional<RunEstimate>> estimatesOf(const std::vector<RunConfig>& configs)
{
    std::vector<std::optional<RunEstimate>> estimates;
    for (const RunConfig& config : configs) {
        estimates.push_back(estimateRun(config, hostCeilings()));
        malloc_trim(0); // what a plan took is not kept
    }
    return estimates;
}

} // namespace lockstep::ui
