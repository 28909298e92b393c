// SPDX-License-Identifier: Apache-2.0
#include "input/photo_resize.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {
namespace {

constexpr std::int64_t kChannels = 3;

/// Shares of the pixels before, at, after and two after a place that is `distance` behind its
/// pixel.
std::array<double, 4> cubicShares(double distance)
{
    constexpr double kA = -0.75;
    const auto inner = [](double x) { return ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1.0; };
    const auto outer = [](double x) { return ((kA * x - 5.0 * kA) * x + 8.0 * kA) * x - 4.0 * kA; };
    return {outer(distance + 1.0), inner(distance), inner(1.0 - distance), outer(2.0 - distance)};
}

} // namespace

void PhotoResizer::Axis::add(std::int64_t place, double share)
{
    places.push_back(static_cast<std::int32_t>(place));
    shares.push_back(static_cast<float>(share));
}

void PhotoResizer::Axis::plan(
    std::int64_t count, std::int64_t first, std::int64_t size, ResizeMethod method, bool isFlipped)
{
    ends.clear();
    places.clear();
    shares.clear();
    const auto n = static_cast<double>(count);
    const auto within = [&](std::int64_t place) {
        return first + std::clamp<std::int64_t>(place, 0, size - 1);
    };
    for (std::int64_t number = 0; number < count; ++number) {
        const std::int64_t i = isFlipped ? count - 1 - number : number;
        const std::int64_t before = i * size / count;
        const double start = static_cast<double>(i * size) / n;
        const double distance = start - static_cast<double>(before);
        switch (method) {
        case ResizeMethod::Nearest:
            add(within(before), 1.0);
            break;
        case ResizeMethod::Bilinear:
            add(within(before), 1.0 - distance);
            add(within(before + 1), distance);
            break;
        case ResizeMethod::Bicubic: {
            const auto cubic = cubicShares(distance);
            for (std::int64_t tap = 0; tap < std::ssize(cubic); ++tap) {
                add(within(before - 1 + tap), cubic[static_cast<std::size_t>(tap)]);
            }
            break;
        }
        case ResizeMethod::Area: {
            const double end = static_cast<double>((i + 1) * size) / n;
            for (std::int64_t place = before; static_cast<double>(place) < end; ++place) {
                const auto edge = static_cast<double>(place);
                const double covered = std::min(end, edge + 1.0) - std::max(start, edge);
                add(within(place), covered / (end - start));
            }
            break;
        }
        }
        ends.push_back(static_cast<std::int32_t>(places.size()));
    }
}

PhotoResizer::PhotoResizer(std::int64_t height, std::int64_t width)
    : m_height(height), m_width(width)
{
}

std::int64_t PhotoResizer::bytes(std::int64_t height, std::int64_t width, std::int64_t widest)
{
    constexpr std::int64_t kTaps = 4; // of Bicubic; those of Area add up to the image's sides
    constexpr std::int64_t kTapBytes = sizeof(std::int32_t) + sizeof(float);
    constexpr std::int64_t kValueBytes = sizeof(float);
    return (height + width) * (kTaps * kTapBytes + kValueBytes) + 2 * widest * kTapBytes
           + widest * kChannels * kValueBytes;
}

void PhotoResizer::apply(
    const ColourImage& image, const CropBox& crop, ResizeMethod method, bool isFlipped,
    std::span<float> destination)
{
    require(
        crop.row >= 0 && crop.column >= 0 && crop.height > 0 && crop.width > 0
            && crop.row + crop.height <= image.height && crop.column + crop.width <= image.width
            && std::ssize(destination) == m_height * m_width * kChannels,
        "a crop to resize lies beyond its image");
    m_rows.plan(m_height, crop.row, crop.height, method, false);
    m_columns.plan(m_width, 0, crop.width, method, isFlipped);
    m_line.resize(static_cast<std::size_t>(crop.width * kChannels));
    for (std::int64_t row = 0; row < m_height; ++row) {
        mixRows(image, crop, row);
        const auto values = static_cast<std::size_t>(m_width * kChannels);
        mixColumns(destination.subspan(static_cast<std::size_t>(row) * values, values));
    }
}

void PhotoResizer::mixRows(const ColourImage& image, const CropBox& crop, std::int64_t row)
{
    const auto number = static_cast<std::size_t>(row);
    const auto begin = static_cast<std::size_t>(row == 0 ? 0 : m_rows.ends[number - 1]);
    const auto end = static_cast<std::size_t>(m_rows.ends[number]);
    std::ranges::fill(m_line, 0.0F);
    for (std::size_t tap = begin; tap < end; ++tap) {
        const std::int64_t first = m_rows.places[tap] * image.width + crop.column;
        const std::uint8_t* const pixels = image.pixels.data() + first * kChannels;
        const float share = m_rows.shares[tap];
        for (std::size_t x = 0; x < m_line.size(); ++x) {
            m_line[x] += static_cast<float>(pixels[x]) * share;
        }
    }
}

void PhotoResizer::mixColumns(std::span<float> destination) const
{
    constexpr float kUnit = 1.0F / 255.0F;
    std::size_t tap = 0;
    float* result = destination.data();
    for (const std::int32_t end : m_columns.ends) {
        std::array<float, kChannels> sums{};
        for (; tap < static_cast<std::size_t>(end); ++tap) {
            const float* const pixel = m_line.data() + m_columns.places[tap] * kChannels;
            for (std::size_t c = 0; c < sums.size(); ++c) {
                sums[c] += pixel[c] * m_columns.shares[tap];
            }
        }
        for (const float sum : sums) {
            *result++ = sum * kUnit;
        }
    }
}

} // namespace lockstep
