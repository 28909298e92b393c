// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/mask_labels.h"
#include "input/resize.h"

#include <array>
#include <cstdint>
#include <span>

namespace lockstep {

/// The numbers that the bytes 0 … 255 of an image become.
enum class PixelRange {
    Unit, ///< 0 to 1: SegDecNet's authors
    Byte, ///< 0 to 255: the third-party net
};

/// Names as in a configuration: "unit", "byte".
inline constexpr std::array<const char*, 2> kPixelRangeNames{"unit", "byte"};

/// What is done to an image with a mask on its way into a batch: both are mirrored, if so drawn,
/// and resized to what the network reads.
struct MaskedInputSettings
{
    PixelRange pixels = PixelRange::Unit;
    PixelGrid grid = PixelGrid::Corners;
    MaskLabel label = MaskLabel::Pooled;
    bool mirrorHorizontal = false; ///< left and right exchanged, for one image in two
    bool mirrorVertical = false;   ///< top and bottom

    bool operator==(const MaskedInputSettings&) const = default;
    /// For evaluation: nothing is mirrored.
    [[nodiscard]] MaskedInputSettings forEvaluation() const;
};

/// Draws what befalls an example from PhiloxStream(seed, Distortion, epoch, example): left and
/// right by the lowest bit of the first number, top and bottom by that of the second, always both,
/// so that to switch one off leaves the other as it was.
Mirror drawMirror(
    const MaskedInputSettings& settings, std::uint64_t seed, std::uint32_t epoch,
    std::uint32_t example);

/// Makes rows of a batch of examples of a data set with masks. Holds the working memory: one per
/// thread, and no allocation after construction.
class MaskedInput
{
public:
    /// For a network that reads `input`. Throws Error(BadInput) unless data set and network are of
    /// one channel and the network's height and width are multiples of 8.
    MaskedInput(const MaskedInputSettings& settings, const Shape& input, const DatasetInfo& info);

    [[nodiscard]] Shape imageShape() const noexcept { return m_input; }
    [[nodiscard]] Shape maskShape() const noexcept { return m_labeller.shape(); }

    /// A row of a batch, to be filled.
    struct Row
    {
        std::span<float> image; ///< imageShape().elements()
        std::span<float> mask;  ///< maskShape().elements()
        std::int32_t label = 0; ///< set: whether anything is marked; by the reduced mask if labels
                                ///< are MaskLabel::Reduced, as the third-party net has it
    };
    void apply(const ExampleView& example, Mirror mirror, Row& row);

    /// Bytes of working memory.
    [[nodiscard]] static std::int64_t bytes(
        const MaskedInputSettings& settings, const Shape& input, const DatasetInfo& info);

private:
    MaskedInputSettings m_settings;
    Shape m_input;
    Shape m_datasetShape;
    BilinearResizer m_resizer;
    MaskLabeller m_labeller;
};

} // namespace lockstep
