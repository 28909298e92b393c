// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/example_study.h"

#include "bridge/base/class_words.h"
#include "engine/run.h"

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

/// Those that there are, in the order in which they are made.
QString changesText(QStringList changes)
{
    changes.removeAll(QString());
    return changes.join(QStringLiteral(" → "));
}

QString coloursText(const ColourChange& change, const PhotoSettings& settings)
{
    const bool isContrastFirst = change.order == ColourOrder::ContrastFirst;
    const QString contrast = settings.contrast ? contrastText(change.contrast) : QString();
    return changesText(
        {settings.brightness
             ? Text::tr("brightness %1").arg(signedText(change.brightness, kDecimals))
             : QString(),
         isContrastFirst ? contrast : QString(),
         settings.saturation ? Text::tr("saturation × %1").arg(factorText(change.saturation))
                             : QString(),
         settings.hue ? Text::tr("hue %1 turns").arg(signedText(change.hue, kDecimals)) : QString(),
         isContrastFirst ? QString() : contrast});
}

/// The part of an image that is cut out; none where the whole image is resized.
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

// What is switched off is empty.
QStringList wordsOf(const Distortion& drawn, const DistortionSettings& settings)
{
    return {
        cropText(*cropOf(drawn, settings)), settings.flip ? flipText(drawn.isFlipped) : QString(),
        changesText(
            {settings.brightness
                 ? Text::tr("brightness %1 of 255").arg(signedText(drawn.brightness, 1))
                 : QString(),
             settings.contrast ? contrastText(drawn.contrast) : QString()}),
        settings.standardize ? Text::tr("standardised: mean 0, deviation 1") : QString()};
}

QStringList wordsOf(const PhotoDistortion& drawn, const DistortionSettings& settings)
{
    return {
        cropText(drawn.crop), methodText(drawn.method, settings),
        settings.photo->flip ? flipText(drawn.isFlipped) : QString(),
        coloursText(drawn.colours, *settings.photo)};
}

QStringList wordsOf(const Mirror& drawn, const DistortionSettings& settings)
{
    const QString turned =
        drawn.isVertical ? Text::tr("mirrored top to bottom") : Text::tr("not turned upside down");
    return {
        settings.masked->mirrorHorizontal ? flipText(drawn.isHorizontal) : QString(),
        settings.masked->mirrorVertical ? turned : QString(),
        Text::tr("the whole image, resized to %1 × %2")
            .arg(pixels(settings.cropWidth), pixels(settings.cropHeight))};
}

/// What befalls an image, in the order in which it is done, a line each: "crop 24 wide, 24 high,
/// from column 3, row 8", "mirrored left to right", "brightness +12.3 of 255 → contrast × 0.84".
/// What is switched off is left out.
QStringList distortionText(const DrawnDistortion& drawn, const DistortionSettings& settings)
{
    QStringList words =
        std::visit([&](const auto& each) { return wordsOf(each, settings); }, drawn);
    words.removeAll(QString());
    return words;
}

QRectF inShares(const CropBox& crop, const ColourImage& original)
{
    const auto height = static_cast<double>(original.height);
    const auto width = static_cast<double>(original.width);
    return {
        static_cast<double>(crop.column) / width, static_cast<double>(crop.row) / height,
        static_cast<double>(crop.width) / width, static_cast<double>(crop.height) / height};
}

} // namespace

ExampleStudy studyExample(
    const StudyRequest& request, PreviewData& data, const LoadProgress& progress)
{
    request.config.validate();
    const Dataset& dataset = data.open(request.config, request.split, progress);
    PipelineSettings settings = pipelineFor(request.config, makeNetwork(request.config.model));
    const bool isTraining = request.split == Split::Train;
    if (!isTraining) {
        settings = settings.forEvaluation();
    }
    const RowOrder order(dataset, settings);
    BatchBuilder builder(dataset, settings, order);
    const std::uint32_t example = request.visit.example;
    if (example >= dataset.size()) {
        fail(
            ErrorCode::BadInput, "{} ({}) has no example {}: choose another image",
            dataset.info().name, dataset.info().split, example);
    }
    const ColourImage original = originalImage(dataset, example);
    const auto label = static_cast<std::size_t>(dataset.example(example).label);
    ExampleStudy study;
    study.split = request.split;
    study.visit = request.visit;
    study.name = QString::fromStdString(dataset.exampleName(example));
    study.className = classWords(dataset.info().classNames[label]);
    study.original = originalPicture(original, kLongestSide);
    study.size = {static_cast<int>(original.width), static_cast<int>(original.height)};
    Batch batch;
    for (int i = 0; i <= (isTraining ? request.furtherDraws : 0); ++i) {
        const Visit visit{request.visit.epoch + static_cast<std::uint32_t>(i), example};
        builder.buildVisit(visit, batch);
        const DrawnDistortion drawn = builder.draw(visit);
        const auto crop = cropOf(drawn, settings.distortion);
        study.draws.push_back(
            {visit.epoch, rowPicture(batch, 0, settings.distortion),
             crop ? inShares(*crop, original) : QRectF(),
             distortionText(drawn, settings.distortion)});
    }
    return study;
}

} // namespace lockstep::ui
