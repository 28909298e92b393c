// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/channel_layout.h"

#include <algorithm>
#include <cstdint>

namespace lockstep::cpu {

/// Some cells of one block of channels of one image: they lie one after the other.
struct ChannelPiece
{
    std::int64_t image = 0;
    std::int64_t block = 0;
    std::int64_t first = 0;     ///< value of the tensor
    std::int64_t positions = 0; ///< cells
};

/// Cuts a tensor into pieces for threads to share. Sums are taken piece by piece and added up in
/// the order of the pieces, so that they do not depend on the number of threads.
class ChannelPieces
{
public:
    ChannelPieces() = default;
    explicit ChannelPieces(const ChannelLayout& layout)
        : m_layout(layout), m_most(std::max<std::int64_t>(1, kValues / layout.block)),
          m_perPlane((layout.positions + m_most - 1) / m_most)
    {
    }

    [[nodiscard]] std::int64_t count() const
    {
        return m_layout.images * m_layout.blocks * m_perPlane;
    }
    /// Channels, those that only fill up the last block included.
    [[nodiscard]] std::int64_t channels() const { return m_layout.blocks * m_layout.block; }
    [[nodiscard]] const ChannelLayout& layout() const { return m_layout; }

    [[nodiscard]] ChannelPiece at(std::int64_t number) const
    {
        const std::int64_t plane = number / m_perPlane;
        const std::int64_t position = number % m_perPlane * m_most;
        return {
            plane / m_layout.blocks, plane % m_layout.blocks,
            (plane * m_layout.positions + position) * m_layout.block,
            std::min(m_most, m_layout.positions - position)};
    }

private:
    /// Of a piece: a quarter of a usual second-level cache.
    static constexpr std::int64_t kValues = 32768;

    ChannelLayout m_layout;
    std::int64_t m_most = 1;
    std::int64_t m_perPlane = 0; ///< pieces of a block of an image
};

} // namespace lockstep::cpu
