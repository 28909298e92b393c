// SPDX-License-Identifier: Apache-2.0
#include "input/masked_input.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>

namespace lockstep {

MaskedInputSettings MaskedInputSettings::forEvaluation() const
{
    MaskedInputSettings settings = *this;
    settings.mirrorHorizontal = settings.mirrorVertical = false;
    return settings;
}

Mirror drawMirror(
    const MaskedInputSettings& settings, std::uint64_t seed, std::uint32_t epoch,
    std::uint32_t example)
{
    PhiloxStream stream(seed, RandomPurpose::Distortion, epoch, example);
    const bool isHorizontal = (stream.next() & 1U) != 0;
    const bool isVertical = (stream.next() & 1U) != 0;
    return {settings.mirrorHorizontal && isHorizontal, settings.mirrorVertical && isVertical};
}

MaskedInput::MaskedInput(
    const MaskedInputSettings& settings, const Shape& input, const DatasetInfo& info)
    : m_settings(settings), m_input(input), m_datasetShape(info.imageShape),
      m_resizer(input.height, input.width, settings.grid),
      m_labeller(input.height, input.width, settings.label, settings.grid)
{
    if (input.channels != 1 || info.imageShape.channels != 1) {
        fail(
            ErrorCode::BadInput,
            "images with masks are grey, but the network reads {} channels and data set '{}' has "
            "{}",
            input.channels, info.name, info.imageShape.channels);
    }
    m_resizer.reserve(info.imageShape.width);
    m_labeller.reserve(info.imageShape.width);
}

std::int64_t MaskedInput::bytes(
    const MaskedInputSettings& settings, const Shape& input, const DatasetInfo& info)
{
    const std::int64_t widest = info.imageShape.width;
    return BilinearResizer::bytes(input.height, input.width, widest)
           + MaskLabeller::bytes(input.height, input.width, settings.label, widest);
}

void MaskedInput::apply(const ExampleView& example, Mirror mirror, Row& row)
{
    constexpr float kUnit = 1.0F / 255.0F;
    const Shape shape = example.ownShape.value_or(m_datasetShape);
    const float scale = m_settings.pixels == PixelRange::Unit ? kUnit : 1.0F;
    m_resizer.apply({example.pixels, shape.height, shape.width}, mirror, scale, row.image);
    row.label = example.label;
    if (example.mask.empty()) {
        std::ranges::fill(row.mask, 0.0F);
        return;
    }
    m_labeller.apply({example.mask, shape.height, shape.width}, mirror, row.mask);
    if (m_settings.label == MaskLabel::Reduced) {
        row.label = std::ranges::any_of(row.mask, [](float mark) { return mark > 0.0F; }) ? 1 : 0;
    }
}

} // namespace lockstep
