// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/gray_image.h"
#include "dataset/examples/data_account.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// What the background of masks looks like.
enum class MaskBackground {
    Auto,  ///< black, as long as the masks look like it
    Black, ///< whatever they look like
    White, ///< marks are black, or of any colour but white
};

/// Names as in a configuration.
inline constexpr std::array<const char*, 3> kMaskBackgroundNames{"auto", "black", "white"};

/// Looks at all masks of a data set together: whether they mean what they were taken for.
class MaskSurvey
{
public:
    MaskSurvey(int threshold, MaskBackground background)
        : m_threshold(threshold), m_background(background)
    {
    }

    /// `name` is what an error calls its file.
    void take(const MaskImage& mask, const std::string& name);

    /// Throws Error(Data) if nine in ten of the masks that mark anything mark most of their pixels
    /// and of their border, unless the background was given: what are they to be read by.
    void checkBackground() const;
    /// Soft edges, noise of compression, single masks that mark most of their image, and palettes
    /// that are read by their indices.
    [[nodiscard]] std::vector<std::string> warnings() const;
    /// The brightest value, of 255, that any pixel has.
    [[nodiscard]] int brightest() const;

private:
    /// Some masks, and one of them.
    struct Some
    {
        std::int64_t count = 0;
        std::string example; ///< the first by name

        void take(const std::string& name);
    };

    int m_threshold;
    MaskBackground m_background;
    std::array<std::int64_t, 256> m_pixels{}; ///< that have each value
    Some m_marked;                            ///< that mark anything
    Some m_filled;                            ///< that mark most of their image and its border
    Some m_soft;                              ///< with many values
    Some m_byIndex;
    std::int64_t m_filledPixels = 0;
    std::int64_t m_notWhite = 0; ///< of these
    std::int64_t m_backdrop = 0; ///< the value that most of the pixels of the filled ones have
};

} // namespace lockstep
