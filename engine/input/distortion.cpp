// SPDX-License-Identifier: Apache-2.0
#include "input/distortion.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

std::size_t index(std::int64_t value)
{
    return static_cast<std::size_t>(value);
}

void validateRanges(const DistortionSettings& settings)
{
    if (!std::isfinite(settings.brightnessDelta) || settings.brightnessDelta < 0.0F) {
        fail(
            ErrorCode::BadInput, "the brightness delta is {}: give a number of 0 or more",
            settings.brightnessDelta);
    }
    if (!std::isfinite(settings.contrastHigh) || !(settings.contrastLow >= 0.0F)
        || !(settings.contrastLow <= settings.contrastHigh)) {
        fail(
            ErrorCode::BadInput,
            "the contrast range is {} to {}: give two numbers of 0 or more, the lower one first",
            settings.contrastLow, settings.contrastHigh);
    }
}

Shape padded(const DistortionSettings& settings, const Shape& image)
{
    return {image.height + 2 * settings.pad, image.width + 2 * settings.pad, image.channels};
}

/// What moves or recolours an image alone would part it from its mask, or from what the network is
/// defined for.
void validateMasked(const DistortionSettings& settings)
{
    if (settings.crop || settings.flip || settings.brightness || settings.contrast
        || settings.standardize || settings.erase > 0.0 || settings.pad > 0) {
        fail(
            ErrorCode::BadInput,
            "images with masks can't be cropped, recoloured, standardised or erased (input.pad, "
            "crop, "
            "flip, brightness, contrast, standardize, erase): use input.mirror_horizontal and "
            "input.mirror_vertical, which move the masks, too");
    }
}

void validateResized(const DistortionSettings& settings)
{
    if (settings.cropHeight < 1 || settings.cropWidth < 1) {
        fail(
            ErrorCode::BadInput, "images can't be resized to {} × {} (height × width)",
            settings.cropHeight, settings.cropWidth);
    }
}

} // namespace

DistortionSettings DistortionSettings::forEvaluation() const
{
    DistortionSettings settings = *this;
    settings.crop = settings.flip = settings.brightness = settings.contrast = false;
    settings.erase = settings.mixup = 0.0;
    if (masked) {
        settings.masked = masked->forEvaluation();
    }
    if (photo) {
        settings.photo = photo->forEvaluation();
    }
    return settings;
}

std::optional<PixelValues> DistortionSettings::pixelValues(std::size_t channel) const
{
    if (masked) {
        return PixelValues{0.0F, masked->pixels == PixelRange::Unit ? 1.0F : 255.0F};
    }
    if (photo) {
        return photo->pixels == PhotoPixels::ImageNet
                   ? PixelValues{mappedColour(0.0F, channel), mappedColour(1.0F, channel)}
                   : PixelValues{-1.0F, 1.0F};
    }
    return standardize ? std::nullopt : std::optional(PixelValues());
}

void DistortionSettings::makeVisible(std::span<float> image, std::int64_t channels) const
{
    const auto [least, greatest] = std::ranges::minmax(image);
    const PixelValues extent{least, greatest > least ? greatest : least + 1.0F};
    for (std::size_t i = 0; i < image.size(); ++i) {
        const auto values = pixelValues(i % static_cast<std::size_t>(channels)).value_or(extent);
        image[i] = (image[i] - values.black) / (values.white - values.black);
    }
}

void DistortionSettings::validate(const Shape& image) const
{
    if (!(erase >= 0.0 && erase <= 1.0)) {
        fail(ErrorCode::BadInput, "input.erase is {}, but must be between 0 and 1", erase);
    }
    if (pad < 0) {
        fail(ErrorCode::BadInput, "input.pad is {}, but must be 0 or more", pad);
    }
    if (masked) {
        validateMasked(*this);
    }
    if (masked || photo) {
        validateResized(*this);
        return;
    }
    const Shape whole = padded(*this, image);
    if (cropHeight < 1 || cropWidth < 1 || cropHeight > whole.height || cropWidth > whole.width) {
        fail(
            ErrorCode::BadInput,
            "a crop of {} × {} (height × width) can't be cut from images of {} × {}: give at least "
            "1 × 1 and at most the size of the image",
            cropHeight, cropWidth, whole.height, whole.width);
    }
    validateRanges(*this);
}

Distortion drawDistortion(
    const DistortionSettings& settings, const Shape& image, std::uint64_t seed, std::uint32_t epoch,
    std::uint32_t example)
{
    const Shape whole = padded(settings, image);
    const std::int64_t rows = whole.height - settings.cropHeight;
    const std::int64_t columns = whole.width - settings.cropWidth;
    PhiloxStream stream(seed, RandomPurpose::Distortion, epoch, example);
    const std::int64_t row = stream.below(static_cast<std::uint32_t>(rows + 1));
    const std::int64_t column = stream.below(static_cast<std::uint32_t>(columns + 1));
    const bool isFlipped = (stream.next() & 1U) != 0;
    const float brightness = stream.uniform(-settings.brightnessDelta, settings.brightnessDelta);
    const float contrast = stream.uniform(settings.contrastLow, settings.contrastHigh);
    return {
        settings.crop ? row : rows / 2,      settings.crop ? column : columns / 2,
        settings.flip && isFlipped,          settings.brightness ? brightness : 0.0F,
        settings.contrast ? contrast : 1.0F,
    };
}

Distorter::Distorter(const DistortionSettings& settings, const Shape& image, PixelOrder order)
    : m_settings(settings), m_image(image), m_padded(padded(settings, image)),
      m_crop{settings.cropHeight, settings.cropWidth, image.channels}, m_order(order)
{
    settings.validate(image);
    const std::size_t rowValues = index(m_crop.width * m_crop.channels);
    m_border.resize(settings.pad > 0 ? index(m_padded.elements()) : 0);
    m_bytes.resize(index(m_crop.elements()));
    m_rowCenters.resize(rowValues);
    m_rowOffsets.resize(rowValues);
    m_sums.resize(index(m_crop.channels));
}

std::int64_t Distorter::bytes(const Shape& crop)
{
    constexpr std::int64_t kRowValueBytes = 2 * sizeof(float);
    constexpr std::int64_t kChannelBytes = sizeof(ChannelSums);
    return crop.elements() + crop.width * crop.channels * kRowValueBytes
           + crop.channels * kChannelBytes;
}

void Distorter::apply(
    std::span<const std::uint8_t> pixels, const Distortion& distortion,
    std::span<float> destination)
{
    require(
        std::ssize(pixels) == m_image.elements() && std::ssize(destination) == m_crop.elements(),
        "an image to distort has another size than its data set says");
    if (m_settings.pad > 0) {
        padImage(pixels);
        pixels = m_border;
    }
    gatherCrop(window(pixels, distortion), m_bytes.data());
    sumChannels(m_bytes, m_sums);
    mapRows(planMap(distortion), m_bytes, destination.data());
}

/// The border gets the mean of each channel, to the nearest whole number.
void Distorter::padImage(std::span<const std::uint8_t> pixels)
{
    const bool isPlanar = m_order == PixelOrder::Planar;
    const std::int64_t channels = m_image.channels;
    const std::int64_t planes = isPlanar ? channels : 1; // else all channels of a cell are one
    const std::int64_t cell = isPlanar ? 1 : channels;
    const std::int64_t cells = m_image.height * m_image.width;
    for (std::int64_t c = 0; c < channels; ++c) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < cells; ++i) {
            sum += pixels[index(isPlanar ? c * cells + i : i * channels + c)];
        }
        const auto mean = static_cast<std::uint8_t>((sum + cells / 2) / cells);
        for (std::int64_t i = 0; i < m_padded.height * m_padded.width; ++i) {
            const std::int64_t plane = c * m_padded.height * m_padded.width;
            m_border[index(isPlanar ? plane + i : i * channels + c)] = mean;
        }
    }
    for (std::int64_t row = 0; row < planes * m_image.height; ++row) {
        const std::int64_t plane = row / m_image.height;
        const std::int64_t to = plane * m_padded.height + row % m_image.height + m_settings.pad;
        std::copy_n(
            pixels.begin() + row * m_image.width * cell, m_image.width * cell,
            m_border.begin() + (to * m_padded.width + m_settings.pad) * cell);
    }
}

CropWindow Distorter::window(
    std::span<const std::uint8_t> pixels, const Distortion& distortion) const
{
    const bool isPlanar = m_order == PixelOrder::Planar;
    const std::int64_t pixelStride = isPlanar ? 1 : m_image.channels;
    const std::int64_t first = distortion.row * m_padded.width + distortion.column;
    CropWindow window;
    window.pixels = pixels.data() + first * pixelStride;
    window.height = m_crop.height;
    window.width = m_crop.width;
    window.channels = m_crop.channels;
    window.rowStride = m_padded.width * pixelStride;
    window.planeStride = isPlanar ? m_padded.height * m_padded.width : 0;
    window.isFlipped = distortion.isFlipped;
    return window;
}

double Distorter::mean() const
{
    std::int64_t total = 0;
    for (const ChannelSums& channel : m_sums) {
        total += channel.values;
    }
    return static_cast<double>(total) / static_cast<double>(m_crop.elements());
}

double Distorter::deviation(double contrast) const
{
    const auto pixels = static_cast<double>(m_crop.height * m_crop.width);
    const double overallMean = mean();
    // Of all values after step 4: the spread within the channels, scaled, and that between them.
    double squares = 0.0;
    for (const ChannelSums& channel : m_sums) {
        const auto sum = static_cast<double>(channel.values);
        const double within = static_cast<double>(channel.squares) - sum * sum / pixels;
        const double between = sum / pixels - overallMean;
        squares += contrast * contrast * within + pixels * between * between;
    }
    return std::sqrt(std::max(0.0, squares) / static_cast<double>(m_crop.elements()));
}

RowMap Distorter::planMap(const Distortion& distortion)
{
    const double contrast = distortion.contrast;
    const double leastDeviation = 1.0 / std::sqrt(static_cast<double>(m_crop.elements()));
    const double divisor =
        m_settings.standardize ? std::max(deviation(contrast), leastDeviation) : 1.0;
    const double shift = m_settings.standardize ? -mean() : distortion.brightness;
    for (std::size_t c = 0; c < m_sums.size(); ++c) {
        const double channelMean = static_cast<double>(m_sums[c].values)
                                   / static_cast<double>(m_crop.height * m_crop.width);
        // A whole number near the channel's mean as centre: x - center is exact in float32.
        const double center = std::round(channelMean);
        const double offset = ((center - channelMean) * contrast + (channelMean + shift)) / divisor;
        for (std::size_t i = c; i < m_rowCenters.size(); i += m_sums.size()) {
            m_rowCenters[i] = static_cast<float>(center);
            m_rowOffsets[i] = static_cast<float>(offset);
        }
    }
    return {m_rowCenters, m_rowOffsets, static_cast<float>(contrast / divisor)};
}

} // namespace lockstep
