// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/distortion_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace lockstep::ui {
namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(DistortionText)
};

constexpr int kDecimals = 2;

QString pixels(std::int64_t number)
{
    return QLocale().toString(static_cast<qlonglong>(number));
}

/// +0.12, −0.05.
QString signedText(float value, int decimals)
{
    return (std::signbit(value) ? QStringLiteral("−") : QStringLiteral("+"))
           + QLocale().toString(static_cast<double>(std::abs(value)), 'f', decimals);
}

QString factorText(float factor)
{
    return QLocale().toString(static_cast<double>(factor), 'f', kDecimals);
}

QString contrastText(float factor)
{
    return Text::tr("contrast × %1").arg(factorText(factor));
}

QString cropText(const CropBox& crop)
{
    return Text::tr("crop %1 wide, %2 high, from column %3, row %4")
        .arg(pixels(crop.width), pixels(crop.height), pixels(crop.column), pixels(crop.row));
}

QString flipText(bool isFlipped)
{
    return isFlipped ? Text::tr("mirrored left to right") : Text::tr("not mirrored");
}

QString methodText(ResizeMethod method, const DistortionSettings& settings)
{
    const std::array names{
        Text::tr("bilinear"), Text::tr("nearest pixel"), Text::tr("bicubic"),
        Text::tr("mean of the area")};
    return Text::tr("resized to %1 × %2: %3")
        .arg(
            pixels(settings.cropWidth), pixels(settings.cropHeight),
            names[static_cast<std::size_t>(method)]);
}

/// In the order in which they are changed.
QString coloursText(const ColourChange& change, const PhotoSettings& settings)
{
    const QString contrast = settings.contrast ? contrastText(change.contrast) : QString();
    const QString saturation = settings.saturation
                                   ? Text::tr("saturation × %1").arg(factorText(change.saturation))
                                   : QString();
    const QString hue =
        settings.hue ? Text::tr("hue %1 turns").arg(signedText(change.hue, kDecimals)) : QString();
    QStringList parts{
        settings.brightness
            ? Text::tr("brightness %1").arg(signedText(change.brightness, kDecimals))
            : QString()};
    if (change.order == ColourOrder::ContrastFirst) {
        parts << contrast << saturation << hue;
    } else {
        parts << saturation << hue << contrast;
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" → "));
}

QStringList wordsOf(const Distortion& drawn, const DistortionSettings& settings)
{
    QStringList words{cropText(*cropOf(drawn, settings))};
    if (settings.flip) {
        words << flipText(drawn.isFlipped);
    }
    QStringList values;
    if (settings.brightness) {
        values << Text::tr("brightness %1 of 255").arg(signedText(drawn.brightness, 1));
    }
    if (settings.contrast) {
        values << contrastText(drawn.contrast);
    }
    words << values.join(QStringLiteral(" → "));
    if (settings.standardize) {
        words << Text::tr("standardised: mean 0, deviation 1");
    }
    return words;
}

QStringList wordsOf(const PhotoDistortion& drawn, const DistortionSettings& settings)
{
    QStringList words{cropText(drawn.crop), methodText(drawn.method, settings)};
    if (settings.photo->flip) {
        words << flipText(drawn.isFlipped);
    }
    words << coloursText(drawn.colours, *settings.photo);
    return words;
}

QStringList wordsOf(const Mirror& drawn, const DistortionSettings& settings)
{
    QStringList words;
    if (settings.masked->mirrorHorizontal) {
        words << flipText(drawn.isHorizontal);
    }
    if (settings.masked->mirrorVertical) {
        words
            << (drawn.isVertical ? Text::tr("mirrored top to bottom")
                                 : Text::tr("not turned upside down"));
    }
    words << Text::tr("the whole image, resized to %1 × %2")
                 .arg(pixels(settings.cropWidth), pixels(settings.cropHeight));
    return words;
}

} // namespace

std::optional<CropBox> cropOf(const DrawnDistortion& drawn, const DistortionSettings& settings)
{
    if (const auto* const photo = std::get_if<PhotoDistortion>(&drawn)) {
        return photo->crop;
    }
    if (const auto* const window = std::get_if<Distortion>(&drawn)) {
        return CropBox{window->row, window->column, settings.cropHeight, settings.cropWidth};
    }
    return std::nullopt;
}

QStringList distortionText(const DrawnDistortion& drawn, const DistortionSettings& settings)
{
    QStringList words =
        std::visit([&](const auto& each) { return wordsOf(each, settings); }, drawn);
    words.removeAll(QString());
    return words;
}

} // namespace lockstep::ui
