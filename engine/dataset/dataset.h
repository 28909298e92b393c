// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"

#include <cstdint>
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
    Shape imageShape;  ///< of every image
    PixelOrder pixelOrder = PixelOrder::Planar;
    std::vector<std::string> classNames; ///< label i is named classNames[i]
};

/// One example. The views stay valid as long as the data set.
struct ExampleView
{
    std::span<const std::uint8_t> pixels; ///< imageShape.elements() bytes in pixelOrder
    std::int32_t label = 0;
};

/// Examples by number. Const methods may be called from any number of threads at once.
class Dataset
{
public:
    Dataset() = default;
    virtual ~Dataset() = default;
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;

    [[nodiscard]] virtual const DatasetInfo& info() const = 0;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// Needs 0 <= index < size().
    [[nodiscard]] virtual ExampleView example(std::int64_t index) const = 0;
};

} // namespace lockstep
