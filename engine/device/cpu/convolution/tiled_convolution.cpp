// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/tiled_convolution.h"

#include "device/cpu/kernels/minimal_filtering.h"

#include <algorithm>

namespace lockstep::cpu {

std::int64_t TiledMap::groups() const
{
    return (shape.channels + kTileChannels - 1) / kTileChannels;
}

TileCells cellsAt(
    const TiledMap& map, std::int64_t group, const TilePlace& place, const TilePart& part,
    const std::byte* tensor)
{
    const ChannelLayout& layout = map.layout;
    TileCells cells;
    cells.element = layout.element;
    cells.firstRow = std::max(part.firstRow, -place.row);
    cells.endRow = std::max(cells.firstRow, std::min(part.endRow, map.shape.height - place.row));
    cells.firstColumn = std::max(part.firstColumn, -place.column);
    cells.endColumn =
        std::max(cells.firstColumn, std::min(part.endColumn, map.shape.width - place.column));
    cells.cellStride = layout.block;
    cells.rowStride = map.shape.width * layout.block;
    const std::int64_t channel = group * kTileChannels;
    if (layout.block == kTileHalf) {
        cells.secondHalf = layout.positions * layout.block;
    }
    cells.channels = std::min(kTileChannels, layout.blocks * layout.block - channel);
    const std::int64_t plane = place.image * layout.blocks + channel / layout.block;
    const std::int64_t position =
        (place.row + cells.firstRow) * map.shape.width + place.column + cells.firstColumn;
    const std::int64_t value =
        (plane * layout.positions + position) * layout.block + channel % layout.block;
    cells.start = const_cast<std::byte*>(tensor) + value * bytesOf(layout.element);
    return cells;
}

TileGrid::TileGrid(std::int64_t cells_, const TiledMap& map)
    : cells(cells_), images(map.layout.images), rows((map.shape.height + cells - 1) / cells),
      columns((map.shape.width + cells - 1) / cells)
{
}

TilePlace TileGrid::place(std::int64_t tile) const
{
    const std::int64_t perImage = rows * columns;
    return {tile / perImage, tile % perImage / columns * cells, tile % columns * cells};
}

bool canTakeTiles(const ChannelLayout& layout)
{
    const bool isBlocked = layout.block == kTileHalf || layout.block % kTileChannels == 0;
    return isBlocked && layout.block % vectorChannels() == 0;
}

} // namespace lockstep::cpu
