// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/mask_survey.h"

#include "base/error.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace lockstep {
namespace {

constexpr int kFull = 255;
/// Darker values than this beside bright marks are no marks of their own.
constexpr std::size_t kFaint = 32;
constexpr std::size_t kBright = 128;
/// A mask has one value for its background and one for each kind of mark.
constexpr std::int64_t kManyValues = 8;

std::int64_t sumOf(std::span<const std::int64_t> pixels)
{
    return std::accumulate(pixels.begin(), pixels.end(), std::int64_t{0});
}

std::int64_t valuesIn(std::span<const std::int64_t> pixels)
{
    return std::ranges::count_if(pixels, [](std::int64_t count) { return count > 0; });
}

} // namespace

void MaskSurvey::Some::take(const std::string& name)
{
    if (++count == 1 || name < example) {
        example = name;
    }
}

void MaskSurvey::take(const MaskImage& mask, const std::string& name)
{
    const MaskImage::Values& values = mask.values;
    const std::span pixels(values.pixels);
    const std::int64_t all = sumOf(pixels);
    const std::int64_t marked = sumOf(pixels.subspan(static_cast<std::size_t>(m_threshold)));
    std::ranges::transform(m_pixels, values.pixels, m_pixels.begin(), std::plus());
    if (marked > 0) {
        m_marked.take(name);
    }
    if (2 * marked > all && 2 * values.markedBorder > values.border) {
        m_filled.take(name);
        m_filledPixels += all;
        m_notWhite += values.notWhite;
        const std::int64_t backdrop =
            std::ranges::max_element(values.pixels) - values.pixels.begin();
        m_backdrop = std::max(m_backdrop, backdrop);
    }
    if (valuesIn(pixels.subspan(1)) >= kManyValues) {
        m_soft.take(name);
    }
    if (values.isByIndex) {
        m_byIndex.take(name);
    }
}

void MaskSurvey::checkBackground() const
{
    constexpr std::int64_t kOf = 10;
    constexpr std::int64_t kNearlyAll = 9;
    if (m_background != MaskBackground::Auto || m_filled.count == 0
        || m_filled.count * kOf < m_marked.count * kNearlyAll) {
        return;
    }
    const bool isWhite = 2 * m_notWhite < m_filledPixels;
    const std::string wayOut =
        isWhite && m_backdrop == kFull
            ? "if they are inverted, dark marks on white, set dataset.mask_background = white"
        : m_backdrop == brightest() && m_backdrop < kFull ? fmt::format(
              "if they are inverted, dark marks on {}, set dataset.mask_background = white and "
              "dataset.mask_threshold = {}",
              m_backdrop, kFull - m_backdrop + 1)
        : m_backdrop < kFull
            ? fmt::format(
                "if the {} of most pixels is the background, set dataset.mask_threshold = {}",
                m_backdrop, std::max(m_backdrop + 1, (m_backdrop + brightest() + 1) / 2))
            : "if a colour is the background, save the masks with a black or a white one";
    fail(
        ErrorCode::Data,
        "{}: most of the image and of its border is marked, as in {} of {} masks that mark "
        "anything; "
        "{}; if it is right, set dataset.mask_background = black",
        m_filled.example, m_filled.count, m_marked.count, wayOut);
}

std::vector<std::string> MaskSurvey::warnings() const
{
    std::vector<std::string> lines;
    const std::span pixels(m_pixels);
    if (m_background == MaskBackground::Auto && m_filled.count > 0) {
        lines.push_back(fmt::format(
            "{} of {} masks that mark anything mark most of their image and its border, such as "
            "{}: "
            "are they inverted?",
            m_filled.count, m_marked.count, m_filled.example));
    }
    if (m_byIndex.count > 0) {
        lines.push_back(fmt::format(
            "{} masks are read by the indices of their palette, of which 0 is the background, as "
            "its "
            "colours do not tell, such as {}",
            m_byIndex.count, m_byIndex.example));
    }
    const std::span faint = pixels.subspan(1, kFaint - 1);
    const std::int64_t marked = sumOf(pixels.subspan(1));
    const std::int64_t middle = sumOf(pixels.subspan(kFaint, pixels.size() - 2 * kFaint));
    const bool isPlain = m_threshold > 1 || sumOf(pixels.subspan(kBright)) == 0;
    if (!isPlain && 20 * sumOf(faint) > marked && sumOf(faint) > middle && valuesIn(faint) > 2) {
        lines.push_back(fmt::format(
            "{:.0f} % of the marked pixels are nearly black, as compression to JPEG leaves them "
            "beside "
            "marks; dataset.mask_threshold = {} marks the bright ones alone",
            100.0 * static_cast<double>(sumOf(faint)) / static_cast<double>(marked), kBright));
    } else if (!isPlain && m_soft.count > 0) {
        lines.push_back(fmt::format(
            "{} masks have soft edges, such as {} ({} shades in all), and any value above 0 is "
            "marked; "
            "dataset.mask_threshold = {} marks what is bright",
            m_soft.count, m_soft.example, valuesIn(pixels.subspan(1)), kBright));
    }
    return lines;
}

int MaskSurvey::brightest() const
{
    for (int value = kFull; value > 0; --value) {
        if (m_pixels[static_cast<std::size_t>(value)] > 0) {
            return value;
        }
    }
    return 0;
}

} // namespace lockstep
