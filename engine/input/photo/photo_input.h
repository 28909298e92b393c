// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "dataset/examples/encoded_dataset.h"
#include "input/order/sampler.h"
#include "input/photo/crop_sampling.h"
#include "input/photo/photo_colours.h"
#include "input/photo/photo_resize.h"

#include <cstdint>
#include <span>

namespace lockstep {

/// What is done to a photograph of any size on its way into a batch, in this order (distort_image
/// of Inception's trainer; values are 0 to 1):
///
/// 1. crop:    a part of 5 % of the image or more, see sampleCrop, brought to the size that the
///             network reads without keeping its aspect ratio, by one of four methods; off: the
///             central crop, bilinear;
/// 2. flip:    left and right exchanged, for one image in two;
/// 3. brightness (added: -32/255 to 32/255), saturation (factor 0.5 to 1.5), hue (-0.2 to 0.2
///    turns) and contrast (factor 0.5 to 1.5), in one of two orders, then clipped;
/// 4. mapped to -1 to 1, or as `pixels` says.
///
/// There, the number of the thread that happens to make an image decides on method and order
/// together; here each is drawn by itself, so that all eight pairs are equally likely and a run can
/// be repeated.
struct PhotoSettings
{
    bool crop = true;
    bool flip = true;
    bool brightness = true;
    bool saturation = true;
    bool hue = true;
    bool contrast = true;
    /// JPEGs are decoded at a half, a quarter or an eighth where the crop still has all pixels that
    /// the network reads: faster, and smoother than the resizing alone. Off: whole, as there.
    bool isDecodedScaled = true;
    PhotoPixels pixels = PhotoPixels::Symmetric;

    bool operator==(const PhotoSettings&) const = default;
    /// For evaluation: the central crop, its values mapped as in training, and nothing else.
    [[nodiscard]] PhotoSettings forEvaluation() const;
};

/// What befalls one image.
struct PhotoDistortion
{
    CropBox crop; ///< of the whole image
    ResizeMethod method = ResizeMethod::Bilinear;
    bool isFlipped = false;
    ColourChange colours;
};

/// Draws the distortion of an example from PhiloxStream(seed, Distortion, epoch, example): flip
/// (the lowest bit of a number), method (two bits), order (one bit), brightness, saturation, hue,
/// contrast, then the crop, always all of them, so that to switch one off leaves the others as they
/// were.
PhotoDistortion drawPhotoDistortion(
    const PhotoSettings& settings, const ImageSize& size, std::span<const ObjectBox> boxes,
    std::uint64_t seed, const Visit& visit);

/// Makes rows of a batch of photographs: reads, decodes and distorts them. Holds the working
/// memory, which grows to that of the largest image that it meets: one per thread.
class PhotoInput
{
public:
    /// For a network that reads `input`. Throws Error(BadInput) unless that has three channels.
    PhotoInput(const PhotoSettings& settings, const Shape& input, const EncodedDataset& dataset);

    [[nodiscard]] Shape imageShape() const noexcept { return m_input; }

    /// What befalls the image on this visit, by its header alone. Throws as apply.
    [[nodiscard]] PhotoDistortion draw(std::uint64_t seed, const Visit& visit);

    /// `row` gets imageShape().elements() values, mapped. Throws what reading and decoding
    /// throw, naming the image.
    void apply(std::uint64_t seed, const Visit& visit, std::span<float> row);

    /// Bytes of working memory, that of the decoders' libraries left out, at most.
    [[nodiscard]] static std::int64_t bytes(const Shape& input, const EncodedDataset& dataset);

private:
    /// Into m_encoded; the image's size.
    ImageSize read(const Visit& visit);

    PhotoSettings m_settings;
    Shape m_input;
    const EncodedDataset& m_dataset;
    EncodedImage m_encoded;
    ColourImage m_image;
    PhotoResizer m_resizer;
};

} // namespace lockstep
