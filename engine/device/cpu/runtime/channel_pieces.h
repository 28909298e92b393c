// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lockstep::cpu {

/// Some cells of one block of channels of one image: they lie one after the other.
struct ChannelPiece
{
    std::int64_t image = 0;
    std::int64_t block = 0;
    std::int64_t position = 0;  ///< first cell of the image
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
            plane / m_layout.blocks, plane % m_layout.blocks, position,
            std::min(m_most, m_layout.positions - position)};
    }

private:
    /// Of a piece: a quarter of a usual second-level cache.
    static constexpr std::int64_t kValues = 32768;

    ChannelLayout m_layout;
    std::int64_t m_most = 1;
    std::int64_t m_perPlane = 0; ///< pieces of a block of an image
};

/// Where the pieces of a tensor begin: in it, or in a wider one, some of whose channels it is.
class PiecePlaces
{
public:
    PiecePlaces() = default;
    explicit PiecePlaces(const ChannelLayout& layout) : PiecePlaces(layout, layout, 0) {}

    /// As channels of a wider tensor; empty where a block of them would not lie within one of its
    /// blocks. `channels`: without those that only fill up the last block.
    static std::optional<PiecePlaces> within(
        const ChannelLayout& part, std::int64_t channels, const ChannelSlice& slice)
    {
        const auto layout = channelLayout(slice.whole);
        if (!layout) {
            return std::nullopt;
        }
        const ChannelLayout& whole = *layout;
        const std::int64_t firstChannel = slice.firstChannel;
        // What fills up a block must not lie on others of a cell that holds all channels.
        const bool fits = whole.blocks == 1
                              ? channels == part.blocks * part.block
                              : whole.block == part.block && firstChannel % part.block == 0;
        return fits && whole.element == part.element
                   ? std::optional(PiecePlaces(part, whole, firstChannel))
                   : std::nullopt;
    }

    /// Number of the piece's first value.
    [[nodiscard]] std::int64_t of(const ChannelPiece& piece) const
    {
        const std::int64_t channel = m_firstChannel + piece.block * m_block;
        const std::int64_t plane = piece.image * m_whole.blocks + channel / m_whole.block;
        return (plane * m_whole.positions + piece.position) * m_whole.block
               + channel % m_whole.block;
    }
    /// Values from a cell to the next.
    [[nodiscard]] std::int64_t stride() const { return m_whole.block; }

private:
    PiecePlaces(const ChannelLayout& part, const ChannelLayout& whole, std::int64_t firstChannel)
        : m_block(part.block), m_whole(whole), m_firstChannel(firstChannel)
    {
    }

    std::int64_t m_block = 0; ///< channels of a piece
    ChannelLayout m_whole;
    std::int64_t m_firstChannel = 0;
};

} // namespace lockstep::cpu
