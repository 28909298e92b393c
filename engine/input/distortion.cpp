// SPDX-License-Identifier: Apache-2.0
#include "input/distortion.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

// A column's sum of squares fits into 32 bits up to this many rows: 2^16 * 255² < 2^32.
constexpr std::int64_t kMostRows = 65536;

std::size_t index(std::int64_t value)
{
    return static_cast<std::size_t>(value);
}

void validateRanges(const DistortionSettings& settings)
{
    if (!std::isfinite(settings.brightnessDelta) || settings.brightnessDelta < 0.0F) {
        fail(
            ErrorCode::BadInput, "the brightness delta is {}: give a number from 0 up",
            settings.brightnessDelta);
    }
    if (!std::isfinite(settings.contrastHigh) || !(settings.contrastLow >= 0.0F)
        || !(settings.contrastLow <= settings.contrastHigh)) {
        fail(
            ErrorCode::BadInput,
            "the contrast range is {} to {}: give two numbers from 0 up, the lower one first",
            settings.contrastLow, settings.contrastHigh);
    }
}

} // namespace

DistortionSettings DistortionSettings::forEvaluation() const
{
    DistortionSettings settings = *this;
    settings.crop = settings.flip = settings.brightness = settings.contrast = false;
    settings.standardize = true;
    return settings;
}

void DistortionSettings::validate(const Shape& image) const
{
    if (cropHeight < 1 || cropWidth < 1 || cropHeight > image.height || cropWidth > image.width
        || cropHeight > kMostRows) {
        fail(
            ErrorCode::BadInput,
            "a crop of {} x {} (height x width) can't be cut from images of {} x {}: give at least "
            "1 x 1 and at most the size of the image",
            cropHeight, cropWidth, image.height, image.width);
    }
    validateRanges(*this);
}

Distortion drawDistortion(
    const DistortionSettings& settings, const Shape& image, std::uint64_t seed, std::uint32_t epoch,
    std::uint32_t example)
{
    const std::int64_t rows = image.height - settings.cropHeight;
    const std::int64_t columns = image.width - settings.cropWidth;
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
    : m_settings(settings),
      m_image(image), m_crop{settings.cropHeight, settings.cropWidth, image.channels},
      m_order(order)
{
    settings.validate(image);
    const std::size_t rowValues = index(m_crop.width * m_crop.channels);
    m_bytes.resize(index(m_crop.elements()));
    m_columnSums.resize(rowValues);
    m_columnSquares.resize(rowValues);
    m_rowCenters.resize(rowValues);
    m_rowOffsets.resize(rowValues);
    m_sums.resize(index(m_crop.channels));
    m_squares.resize(index(m_crop.channels));
}

std::int64_t Distorter::bytes(const Shape& crop)
{
    constexpr std::int64_t kRowValueBytes = 2 * sizeof(std::uint32_t) + 2 * sizeof(float);
    constexpr std::int64_t kChannelBytes = 2 * sizeof(std::int64_t);
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
    gather(pixels, distortion);
    sumColumns();
    sumChannels();
    planMaps(distortion);
    applyMaps(destination.data());
}

void Distorter::gather(std::span<const std::uint8_t> pixels, const Distortion& distortion)
{
    const bool isPlanar = m_order == PixelOrder::Planar;
    const std::int64_t pixelStride = isPlanar ? 1 : m_image.channels;
    for (std::int64_t y = 0; y < m_crop.height; ++y) {
        const std::int64_t first = (distortion.row + y) * m_image.width + distortion.column;
        const std::uint8_t* source = pixels.data() + first * pixelStride;
        std::uint8_t* destination = m_bytes.data() + y * m_crop.width * m_crop.channels;
        if (isPlanar) {
            gatherPlanarRow(source, distortion.isFlipped, destination);
        } else {
            gatherInterleavedRow(source, distortion.isFlipped, destination);
        }
    }
}

void Distorter::gatherPlanarRow(
    const std::uint8_t* source, bool isFlipped, std::uint8_t* destination) const
{
    const std::int64_t width = m_crop.width;
    const std::int64_t channels = m_crop.channels;
    const std::int64_t plane = m_image.height * m_image.width;
    const std::int64_t step = isFlipped ? -channels : channels;
    std::uint8_t* start = isFlipped ? destination + (width - 1) * channels : destination;
    for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t x = 0; x < width; ++x) {
            start[x * step + c] = source[c * plane + x];
        }
    }
}

void Distorter::gatherInterleavedRow(
    const std::uint8_t* source, bool isFlipped, std::uint8_t* destination) const
{
    const std::int64_t channels = m_crop.channels;
    const std::int64_t values = m_crop.width * channels;
    if (!isFlipped) {
        std::copy_n(source, values, destination);
        return;
    }
    for (std::int64_t x = 0; x < values; x += channels) {
        std::copy_n(source + values - channels - x, channels, destination + x);
    }
}

void Distorter::sumColumns()
{
    std::fill(m_columnSums.begin(), m_columnSums.end(), 0U);
    std::fill(m_columnSquares.begin(), m_columnSquares.end(), 0U);
    const std::size_t rowValues = m_columnSums.size();
    // Column by column, so that the compiler can sum many at once for any number of channels.
    std::uint32_t* const sums = m_columnSums.data();
    std::uint32_t* const squares = m_columnSquares.data();
    for (const std::uint8_t* row = m_bytes.data(); row != m_bytes.data() + m_bytes.size();
         row += rowValues) {
        for (std::size_t i = 0; i < rowValues; ++i) {
            const std::uint32_t value = row[i];
            sums[i] += value;
            squares[i] += value * value;
        }
    }
}

void Distorter::sumChannels()
{
    const std::size_t channels = m_sums.size();
    for (std::size_t c = 0; c < channels; ++c) {
        m_sums[c] = m_squares[c] = 0;
        for (std::size_t i = c; i < m_columnSums.size(); i += channels) {
            m_sums[c] += m_columnSums[i];
            m_squares[c] += m_columnSquares[i];
        }
    }
}

double Distorter::mean() const
{
    const auto total = std::accumulate(m_sums.begin(), m_sums.end(), std::int64_t{0});
    return static_cast<double>(total) / static_cast<double>(m_crop.elements());
}

double Distorter::deviation(double contrast) const
{
    const auto pixels = static_cast<double>(m_crop.height * m_crop.width);
    const double overallMean = mean();
    // Of all values after step 4: the spread within the channels, scaled, and that between them.
    double squares = 0.0;
    for (std::size_t c = 0; c < m_sums.size(); ++c) {
        const auto sum = static_cast<double>(m_sums[c]);
        const double within = static_cast<double>(m_squares[c]) - sum * sum / pixels;
        const double between = sum / pixels - overallMean;
        squares += contrast * contrast * within + pixels * between * between;
    }
    return std::sqrt(std::max(0.0, squares) / static_cast<double>(m_crop.elements()));
}

void Distorter::planMaps(const Distortion& distortion)
{
    const double contrast = distortion.contrast;
    const double leastDeviation = 1.0 / std::sqrt(static_cast<double>(m_crop.elements()));
    const double divisor =
        m_settings.standardize ? std::max(deviation(contrast), leastDeviation) : 1.0;
    const double shift = m_settings.standardize ? -mean() : distortion.brightness;
    m_scale = static_cast<float>(contrast / divisor);
    for (std::size_t c = 0; c < m_sums.size(); ++c) {
        const double channelMean =
            static_cast<double>(m_sums[c]) / static_cast<double>(m_crop.height * m_crop.width);
        // A whole number near the channel's mean as centre: x - center is exact in float32.
        const double center = std::round(channelMean);
        const double offset = ((center - channelMean) * contrast + (channelMean + shift)) / divisor;
        for (std::size_t i = c; i < m_rowCenters.size(); i += m_sums.size()) {
            m_rowCenters[i] = static_cast<float>(center);
            m_rowOffsets[i] = static_cast<float>(offset);
        }
    }
}

void Distorter::applyMaps(float* destination) const
{
    const std::size_t rowValues = m_rowCenters.size();
    const float* const centers = m_rowCenters.data();
    const float* const offsets = m_rowOffsets.data();
    const float scale = m_scale;
    for (std::size_t first = 0; first < m_bytes.size(); first += rowValues) {
        const std::uint8_t* const row = m_bytes.data() + first;
        float* const out = destination + first;
        for (std::size_t i = 0; i < rowValues; ++i) {
            out[i] = (static_cast<float>(row[i]) - centers[i]) * scale + offsets[i];
        }
    }
}

} // namespace lockstep
