// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/reorder.h"

#include "base/error.h"
#include "device/cpu/kernels/move_kernel.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <omp.h>

#include <cstring>

namespace lockstep::cpu {
namespace {

/// Where each channel of a cell lies, with those that fill up the last block, if there are blocks.
std::vector<std::int64_t> channelPlaces(const Desc& desc)
{
    const auto& blocking = desc.data.format_desc.blocking;
    const bool isBlocked = blocking.inner_nblks == 1 && blocking.inner_idxs[0] == 1;
    require(isBlocked || blocking.inner_nblks == 0, "values lie in an order that is not known");
    const std::int64_t block = isBlocked ? blocking.inner_blks[0] : 1;
    std::vector<std::int64_t> places;
    for (std::int64_t c = 0; c < desc.data.padded_dims[1]; ++c) {
        places.push_back(c / block * blocking.strides[1] + c % block);
    }
    return places;
}

} // namespace

CellMove::Steps::Steps(const Desc& desc)
    : element(elementOf(desc)), start(desc.data.offset0),
      image(desc.data.format_desc.blocking.strides[0])
{
    if (desc.dims().size() > 2) {
        row = desc.data.format_desc.blocking.strides[2];
        cell = desc.data.format_desc.blocking.strides[3];
    }
}

CellMove::CellMove(const Desc& from, const Desc& to)
    : m_from(from), m_to(to), m_images(from.dims().front())
{
    require(from.dims() == to.dims(), "a tensor is moved to one of another shape");
    if (from.dims().size() > 2) {
        m_rows = from.dims()[2];
        m_cells = from.dims()[3];
    }
    std::vector<std::int64_t> fromPlaces = channelPlaces(from);
    fromPlaces.resize(static_cast<std::size_t>(from.dims()[1]));
    addChannels(fromPlaces, channelPlaces(to));
}

void CellMove::addChannels(
    const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to)
{
    const bool isPlane = m_from.cell == 1 && m_to.cell == 1;
    for (std::size_t c = 0; c < to.size(); ++c) {
        const bool isZero = c >= from.size();
        if (isPlane) {
            m_pieces.push_back({isZero ? -1 : from[c], to[c], m_cells, 1});
            continue;
        }
        if (!m_pieces.empty()) {
            Piece& last = m_pieces.back();
            const bool follows =
                isZero ? last.from < 0 : last.from >= 0 && from[c] == last.from + last.run;
            if (follows && to[c] == last.to + last.run) {
                ++last.run;
                continue;
            }
        }
        m_pieces.push_back({isZero ? -1 : from[c], to[c], 1, m_cells});
    }
}

void CellMove::run(const std::byte* from, std::byte* to) const
{
    const std::int64_t fromBytes = bytesOf(m_from.element);
    const std::int64_t toBytes = bytesOf(m_to.element);
    const auto moveRow = [&](std::int64_t image, std::int64_t row) {
        for (const Piece& piece : m_pieces) {
            std::byte* place = to + (m_to.ofRow(image, row) + piece.to) * toBytes;
            if (piece.from < 0) {
                for (std::int64_t i = 0; i < piece.runs; ++i) {
                    const auto bytes = static_cast<std::size_t>(piece.run * toBytes);
                    std::memset(place + i * m_to.cell * toBytes, 0, bytes);
                }
                continue;
            }
            const std::byte* source = from + (m_from.ofRow(image, row) + piece.from) * fromBytes;
            moveRuns(
                m_from.element, m_to.element,
                {source, place, piece.run, piece.runs, m_from.cell, m_to.cell});
        }
    };
    forRanges(omp_get_max_threads(), m_images * m_rows, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i) {
            moveRow(i / m_rows, i % m_rows);
        }
    });
}

Reorder::Reorder(const Desc& from, const Desc& to)
{
    const bool isRounded =
        elementOf(from) == Element::Bfloat16 || elementOf(to) == Element::Bfloat16;
    if (isRounded && !multipliesBfloat16()) {
        m_own.emplace(from, to);
        return;
    }
    m_call = {
        dnnl::reorder(memoryAt(from), memoryAt(to)),
        {{DNNL_ARG_FROM, memoryAt(from)}, {DNNL_ARG_TO, memoryAt(to)}}};
}

void Reorder::run(const void* from, void* to)
{
    if (m_own) {
        m_own->run(static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
        return;
    }
    m_call.set(DNNL_ARG_FROM, from);
    m_call.set(DNNL_ARG_TO, to);
    m_call.run();
}

} // namespace lockstep::cpu
