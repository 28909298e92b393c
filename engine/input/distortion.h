// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "dataset/examples/dataset.h"
#include "input/distortion_kernels.h"
#include "input/masked_input.h"
#include "input/photo/photo_input.h"

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace lockstep {

/// The values that the bytes 0 and 255 of a channel become.
struct PixelValues
{
    float black = 0.0F;
    float white = 255.0F;

    bool operator==(const PixelValues&) const = default;
};

/// What is done to an image on its way into a batch, in this order (the classic CIFAR-10 input of
/// the TensorFlow models repository; pixels are 0 … 255, nothing is clipped):
///
/// 1. crop:        a window of cropHeight x cropWidth at a random place of the image with `pad`
/// cells
///                 of its mean colour on every side (He et al., 2015, section 4.2: 4 cells); off:
///                 the central one;
/// 2. flip:        left and right exchanged, for one image in two;
/// 3. brightness:  x + delta, one delta in [-brightnessDelta, brightnessDelta) an image;
/// 4. contrast:    (x - m) * factor + m, m the channel's mean, one factor in
///                 [contrastLow, contrastHigh) an image;
/// 5. standardize: (x - mean) / max(deviation, 1 / sqrt(n)) over all n values of the image.
///
/// Then, and of photographs as well, a box is erased where `erase` says so, see drawErasing, and
/// rows are mixed in pairs where `mixup` is not 0, see drawMixup.
///
/// Step 5 cancels step 3 wholly, and step 4 except for the ratio of the spread within the channels
/// to that between them.
struct DistortionSettings
{
    std::int64_t cropHeight = 24; ///< rows of the image that the network sees
    std::int64_t cropWidth = 24;  ///< columns of it
    bool crop = true;
    bool flip = true;
    bool brightness = true;
    bool contrast = true;
    bool standardize = true;
    float brightnessDelta = 63.0F; ///< grey levels
    float contrastLow = 0.2F;
    float contrastHigh = 1.8F;
    double erase = 0.0; ///< of so many images, 0 to 1
    std::int64_t pad = 0;
    double mixup = 0.0; ///< alpha of the distribution of shares; 0: rows are not mixed
    /// Images with masks are mirrored and resized instead: none of the five steps may be on, and
    /// the size is that of the resized image.
    std::optional<MaskedInputSettings> masked = {};
    /// Encoded photographs are cropped, resized and recoloured by settings of their own instead.
    std::optional<PhotoSettings> photo = {};

    bool operator==(const DistortionSettings&) const = default;
    /// For evaluation: the central crop of the same size, of images with masks the resizing, of
    /// photographs crop and resizing. The values are those of training: standardised or not.
    [[nodiscard]] DistortionSettings forEvaluation() const;
    /// Before brightness and contrast; empty where images are standardised, each by its own mean
    /// and deviation.
    [[nodiscard]] std::optional<PixelValues> pixelValues(std::size_t channel = 0) const;
    /// What the network reads of an image of so many channels becomes what a person can look at:
    /// black 0 to white 1, of standardised images the least value 0 and the greatest 1.
    void makeVisible(std::span<float> image, std::int64_t channels) const;
    /// Throws Error(BadInput) that names the setting if it can't be used on such images.
    void validate(const Shape& image) const;
};

/// What befalls one image. A value, so that a preview can show it and any device can apply it.
struct Distortion
{
    std::int64_t row = 0;    ///< first row of the crop, in the padded image
    std::int64_t column = 0; ///< first column of the crop, likewise
    bool isFlipped = false;
    float brightness = 0.0F; ///< grey levels to add
    float contrast = 1.0F;   ///< factor about the channel's mean
};

/// What befalls one image, of whichever kind.
using DrawnDistortion = std::variant<Distortion, Mirror, PhotoDistortion>;

/// Draws the distortion of an example from PhiloxStream(seed, Distortion, epoch, example): row,
/// column, flip (the lowest bit of a number), brightness, contrast, always all five in this order,
/// so that to switch one off leaves the others as they were.
Distortion drawDistortion(
    const DistortionSettings& settings, const Shape& image, std::uint64_t seed, std::uint32_t epoch,
    std::uint32_t example);

/// Applies distortions to images of one kind: bytes in, float32 NHWC out.
///
/// Steps 3 to 5 are one affine map per channel, whose factors follow from the sums of x and x² over
/// the crop. Those are whole numbers, exact, so nothing is lost to cancellation: a constant image
/// becomes exact zeros and a brightness that standardisation cancels changes no bit. The image is
/// read once, crop and flip are of bytes, and only the map makes numbers of them; the same bits on
/// every processor (distortion_kernels.h).
/// Holds the working memory, a byte for each value of a crop and two numbers for each of a row: one
/// per thread, and no allocation after construction.
class Distorter
{
public:
    /// Throws Error(BadInput) as DistortionSettings::validate.
    Distorter(const DistortionSettings& settings, const Shape& image, PixelOrder order);

    /// `pixels` are the image's bytes, `destination` gets outputShape().elements() values in order
    /// row, column, channel.
    void apply(
        std::span<const std::uint8_t> pixels, const Distortion& distortion,
        std::span<float> destination);

    [[nodiscard]] Shape outputShape() const noexcept { return m_crop; }
    /// Bytes of working memory for crops of this shape.
    static std::int64_t bytes(const Shape& crop);

private:
    [[nodiscard]] CropWindow window(
        std::span<const std::uint8_t> pixels, const Distortion& distortion) const;
    void padImage(std::span<const std::uint8_t> pixels);
    [[nodiscard]] double mean() const;
    [[nodiscard]] double deviation(double contrast) const;
    RowMap planMap(const Distortion& distortion);

    DistortionSettings m_settings;
    Shape m_image;
    Shape m_padded; ///< the image with its border
    Shape m_crop;
    PixelOrder m_order;
    std::vector<std::uint8_t> m_border; // the padded image; none where nothing is padded
    std::vector<std::uint8_t> m_bytes;  // the crop, flipped: row, column, channel
    std::vector<ChannelSums> m_sums;
    // Of the map; every channel's number is repeated for a whole row.
    std::vector<float> m_rowCenters;
    std::vector<float> m_rowOffsets;
};

} // namespace lockstep
