// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <array>

/// The resources of a static library are only there once it has asked for them, which Qt's macro
/// can do outside any namespace only.
static void loadResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace lockstep::ui {
namespace {

constexpr std::array kFileNames{
    "about",     "copy",    "devices", "download", "error",       "evaluate", "first",
    "fit",       "folder",  "follow",  "help",     "information", "keyboard", "lock",
    "log_scale", "new_run", "next",    "open",     "pause",       "play",     "previous",
    "save",      "scaling", "stop",    "unlock",   "warning"};
static_assert(kFileNames.size() == static_cast<std::size_t>(IconName::Warning) + 1);

QByteArray drawing(IconName name, const QColor& color)
{
    ::loadResources();
    const QLatin1String fileName(kFileNames[static_cast<std::size_t>(name)]);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(fileName));
    return file.open(QIODevice::ReadOnly)
               ? file.readAll().replace("currentColor", color.name().toLatin1())
               : QByteArray();
}

void paintIcon(QPainter& painter, const QRectF& target, IconName name, const QColor& color)
{
    QSvgRenderer renderer(drawing(name, color));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, target);
    painter.restore();
}

QColor colorFor(QIcon::Mode mode)
{
    return QGuiApplication::palette().color(
        mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active,
        mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText);
}

class SvgIconEngine : public QIconEngine
{
public:
    explicit SvgIconEngine(IconName name) : m_name(name) {}

    void paint(
        QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        paintIcon(*painter, rect, m_name, colorFor(mode));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        return iconPixmap(m_name, size, 1.0, colorFor(mode));
    }

    [[nodiscard]] QIconEngine* clone() const override { return new SvgIconEngine(m_name); }

private:
    IconName m_name;
};

} // namespace

QIcon icon(IconName name)
{
    return QIcon(new SvgIconEngine(name));
}

QPixmap iconPixmap(IconName name, QSize size, double devicePixelRatio, const QColor& color)
{
    const QSize pixels = (QSizeF(size) * devicePixelRatio).toSize();
    const QString key = QStringLiteral("lockstep-icon-%1-%2x%3-%4")
                            .arg(static_cast<int>(name))
                            .arg(pixels.width())
                            .arg(pixels.height())
                            .arg(color.name());
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(pixels);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paintIcon(painter, QRectF(QPointF(0, 0), QSizeF(pixels)), name, color);
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace lockstep::ui
