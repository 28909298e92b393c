// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "base/shape.h"
#include "dataset/codecs/image_size.h"
#include "dataset/examples/data_account.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// How the bytes of an image are ordered.
enum class PixelOrder {
    Planar,      ///< channel, row, column (CIFAR-10)
    Interleaved, ///< row, column, channel
};

/// Which part of a data set: what is learnt from, or what is only ever evaluated.
enum class Split { Train, Test };

/// "train" or "test".
[[nodiscard]] constexpr std::string_view toString(Split split) noexcept
{
    return split == Split::Train ? "train" : "test";
}

/// What is true of every example of a data set.
struct DatasetInfo
{
    std::string name;  ///< "cifar10", "synthetic"
    std::string split; ///< toString of its Split
    Shape imageShape;  ///< of every image; with masks the largest sides that any has, of encoded
                       ///< ones the channels alone
    PixelOrder pixelOrder = PixelOrder::Planar;
    std::vector<std::string> classNames; ///< label i is named classNames[i]
    /// Examples say which of their pixels are marked, and images may have sizes of their own: they
    /// are resized to what the network reads, never cropped.
    bool hasMasks = false;
    /// Images lie on disk as JPEG or PNG, in sizes of their own, until a loader reads one; see
    /// EncodedDataset.
    bool isEncoded = false;
    std::string layout = {};  ///< how a person's own files were understood; empty for other data
    SizeRange sizes = {};     ///< of the images, where each has its own
    bool isDrawn = false;     ///< the seed says which of a person's own examples are tested on
    DataAccount account = {}; ///< of the files that are no examples, and of what is odd
};

/// One example. The views stay valid as long as the data set.
struct ExampleView
{
    std::span<const std::uint8_t> pixels; ///< shapeOf(info, *this).elements() bytes in pixelOrder
    std::int32_t label = 0;
    std::optional<Shape> ownShape = {}; ///< of this image; left out: DatasetInfo::imageShape
    /// One byte for each pixel, row by row: 1 where it is marked (a defect), else 0. Empty where
    /// none is.
    std::span<const std::uint8_t> mask = {};
};

/// The shape of an example's image.
[[nodiscard]] inline Shape shapeOf(const DatasetInfo& info, const ExampleView& example)
{
    return example.ownShape.value_or(info.imageShape);
}

class EncodedDataset;

/// Examples by number. Const methods may be called from any number of threads at once.
class Dataset : public Interface
{
public:
    [[nodiscard]] virtual const DatasetInfo& info() const = 0;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// Needs 0 <= index < size().
    [[nodiscard]] virtual ExampleView example(std::int64_t index) const = 0;
    /// What a person calls the example: "kos01/Part5", or its number where it has no name.
    [[nodiscard]] virtual std::string exampleName(std::int64_t index) const
    {
        return std::to_string(index);
    }
    /// As one of photographs that lie encoded on disk; null: it is none.
    [[nodiscard]] virtual const EncodedDataset* encoded() const { return nullptr; }
};

} // namespace lockstep
