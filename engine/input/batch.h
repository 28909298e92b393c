// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mixed_label.h"
#include "base/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// A global batch, or the rows of it that one rank needs, ready for the towers: tower i takes rows
/// [i*B, (i+1)*B) of the global one.
struct Batch
{
    /// A row without an example: its image is damaged, and in a pass over a test set no other one
    /// stands in for it. Its pixels are 0.
    static constexpr std::int64_t kNoExample = -1;

    std::int64_t step = 0;     ///< number of the step (or of the evaluation batch) it is for
    std::int64_t position = 0; ///< of its first row in the stream of examples (Sampler): a run
                               ///< that is resumed after it goes on at position + examples
    std::int64_t firstRow = 0; ///< where its rows begin in the global batch
    std::int64_t examples = 0; ///< rows
    Shape shape;               ///< of one image as the network sees it
    std::vector<float> images; ///< examples x height x width x channels (NHWC)
    std::vector<std::int32_t> labels;
    std::vector<std::int64_t> ids;  ///< number of each example in its data set, or kNoExample
    std::optional<Shape> maskShape; ///< of one mask, where the data set has masks
    std::vector<float> masks;       ///< examples x mask height x mask width, 0 to 1; else empty
    std::vector<MixedLabel> mixed;  ///< by row, where rows are mixed; else empty
};

/// The batch without the rows that have no example: itself, or `room`, which gets the others.
[[nodiscard]] const Batch& withExamples(const Batch& batch, Batch& room);

/// Some rows of a batch, in host memory: what a pass works on. Valid as long as the batch.
struct BatchSlice
{
    std::span<const float> images;
    std::span<const std::int32_t> labels;
    std::span<const float> masks = {};      ///< empty where there are none
    std::int64_t step = 0;                  ///< that they belong to
    std::int64_t rowsBefore = 0;            ///< of the tower, in passes before this one
    std::span<const MixedLabel> mixed = {}; ///< empty: rows are not mixed

    [[nodiscard]] std::int64_t examples() const { return std::ssize(labels); }
};

} // namespace lockstep
