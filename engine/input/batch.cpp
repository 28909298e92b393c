// SPDX-License-Identifier: Apache-2.0
#include "input/batch.h"

#include <algorithm>

namespace lockstep {
namespace {

template<class Value>
void addRow(
    const std::vector<Value>& from, std::size_t row, std::size_t rows, std::vector<Value>& to)
{
    const auto values = static_cast<std::ptrdiff_t>(from.size() / rows);
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(row) * values;
    to.insert(to.end(), first, first + values);
}

} // namespace

const Batch& withExamples(const Batch& batch, Batch& room)
{
    if (std::ranges::find(batch.ids, Batch::kNoExample) == batch.ids.end()) {
        return batch;
    }
    room = {};
    room.step = batch.step;
    room.position = batch.position;
    room.firstRow = batch.firstRow;
    room.shape = batch.shape;
    room.maskShape = batch.maskShape;
    for (std::size_t row = 0; row < batch.ids.size(); ++row) {
        if (batch.ids[row] != Batch::kNoExample) {
            addRow(batch.images, row, batch.ids.size(), room.images);
            addRow(batch.labels, row, batch.ids.size(), room.labels);
            addRow(batch.ids, row, batch.ids.size(), room.ids);
            addRow(batch.masks, row, batch.ids.size(), room.masks);
            addRow(batch.mixed, row, batch.ids.size(), room.mixed);
        }
    }
    room.examples = std::ssize(room.ids);
    return room;
}

} // namespace lockstep
