// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/dnnl_helpers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::cpu {

/// Copies images, or rows of a matrix, between two layouts and number formats, whatever the
/// processor. What fills up the last block of channels is zeros.
class CellMove
{
public:
    CellMove(const Desc& from, const Desc& to);
    void run(const std::byte* from, std::byte* to) const;

private:
    /// Of each row of each image, values that lie side by side in both, at some or all cells.
    struct Piece
    {
        std::int64_t from = 0; ///< -1: zeros
        std::int64_t to = 0;
        std::int64_t run = 0;
        std::int64_t runs = 0;
    };
    /// Where a row of an image begins, and a cell of it, in values.
    struct Steps
    {
        Element element = Element::Float32;
        std::int64_t start = 0;
        std::int64_t image = 0;
        std::int64_t row = 0;
        std::int64_t cell = 0;

        explicit Steps(const Desc& desc);
        [[nodiscard]] std::int64_t ofRow(std::int64_t image_, std::int64_t row_) const
        {
            return start + image_ * image + row_ * row;
        }
    };

    void addChannels(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to);

    Steps m_from;
    Steps m_to;
    std::int64_t m_images = 0;
    std::int64_t m_rows = 1;
    std::int64_t m_cells = 1; ///< of a row
    std::vector<Piece> m_pieces;
};

/// Whether a copy is of float32 numbers, the tensor itself of bfloat16.
inline bool isWidened(const Desc& given, const Desc& copy)
{
    return elementOf(given) == Element::Bfloat16 && elementOf(copy) == Element::Float32;
}

/// Copies a tensor from one layout to another: by oneDNN, but that it knows bfloat16 only where the
/// processor does.
class Reorder
{
public:
    Reorder(const Desc& from, const Desc& to);
    void run(const void* from, void* to);

private:
    std::optional<CellMove> m_own;
    PrimitiveCall m_call; ///< without it
};

} // namespace lockstep::cpu
