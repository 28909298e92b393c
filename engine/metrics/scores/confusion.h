// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/scores/classified_image.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// How many images of one class were taken for one, the same or another.
struct ConfusionCell
{
    std::int32_t label = 0;
    std::int32_t predicted = 0; ///< or ClassifiedImage::kNoClass
    std::int64_t images = 0;    ///< at least 1

    bool operator==(const ConfusionCell&) const = default;
};

/// The images of one class.
struct ClassCount
{
    std::int32_t label = 0;
    std::int64_t images = 0;    ///< the sum of its row of the confusion matrix
    std::int64_t correct = 0;   ///< the cell on the diagonal
    std::int64_t predicted = 0; ///< the sum of its column: images that were taken for this class

    /// Share of the images that are classified correctly; not a number without images.
    [[nodiscard]] double recall() const
    {
        return static_cast<double>(correct) / static_cast<double>(images);
    }
    /// Share of what was taken for this class that is of it; not a number where nothing was.
    [[nodiscard]] double precision() const
    {
        return static_cast<double>(correct) / static_cast<double>(predicted);
    }
    /// Harmonic mean of precision and recall; not a number where neither has anything.
    [[nodiscard]] double f1() const
    {
        return 2.0 * static_cast<double>(correct) / static_cast<double>(images + predicted);
    }
    bool operator==(const ClassCount&) const = default;
};

/// The confusion matrix of an evaluation, rows the labels, columns the predictions: the cells that
/// are not zero, row by row. A thousand classes have a million cells, of which images fill few.
std::vector<ConfusionCell> confusionCells(std::span<const ClassifiedImage> images);

/// Of every class [0, classes). Needs labels and predictions below that.
std::vector<ClassCount> classCounts(std::span<const ConfusionCell> cells, std::int64_t classes);

/// Mean recall of the classes that have images: each counts alike, however many those are. Not a
/// number without images.
double macroRecall(std::span<const ClassCount> counts);

/// The classes that have images, those of the lowest recall first; of the same, in their order.
std::vector<ClassCount> worstClasses(std::span<const ClassCount> counts, std::size_t most);

/// Cells off the diagonal, those of the most images first; of as many, in their order.
std::vector<ConfusionCell> mostConfused(std::span<const ConfusionCell> cells, std::size_t most);

/// Which mistakes come first.
enum class MistakeOrder {
    Confident, ///< those whose wrong class is the most probable; what is taken for no class last
    Loss,      ///< those of the largest loss; one that is no number is larger than any
};

/// The images that were taken for another class than their label, `most` or fewer; of the same
/// figure in their order.
std::vector<ClassifiedImage> worstMistakes(
    std::span<const ClassifiedImage> images, MistakeOrder order, std::size_t most);

} // namespace lockstep
