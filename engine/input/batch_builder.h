// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/batch.h"
#include "input/distortion.h"
#include "input/pipeline_settings.h"
#include "input/row_order.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// Makes batches, whole or in parts, one after another or in any order: batch i holds the examples
/// at positions startPosition + [i * G, (i + 1) * G). The distortion of an example is drawn for its
/// epoch and number, so it depends neither on the size of the batch nor on who makes it. Holds the
/// working memory: one per thread. The data set and the order are shared and must outlive it.
class BatchBuilder
{
public:
    BatchBuilder(const Dataset& dataset, const PipelineSettings& settings, const RowOrder& order);

    /// Overwrites `batch`; allocates nothing if it has been reserve()d. Throws what the data set
    /// throws, and Error(Data) for an example whose size isn't that of the data set's images.
    void build(std::int64_t index, Batch& batch);
    /// Two halves of build(): first the batch without its rows, then rows [first, first + count) of
    /// it, which several builders may make at once.
    void begin(std::int64_t index, Batch& batch) const;
    void fillRows(std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch);
    /// The same of rows [first, first + count) of the global batch alone; its position is that of
    /// row `first` where the towers' examples are distinct. Where rows are mixed they
    /// begin with the first of a pair; a row whose other one is not among them stays as it is.
    void buildRows(std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch);
    /// A batch of one row: an example of any epoch, with the data set's label. Throws as build().
    void buildVisit(const Visit& visit, Batch& batch);
    /// What befalls the example on that visit; of an encoded image reads the header.
    [[nodiscard]] DrawnDistortion draw(const Visit& visit);
    /// Gives `batch` room for as many examples as are made of one.
    void reserve(Batch& batch) const;

private:
    [[nodiscard]] ExampleView example(const Visit& visit) const;
    void fillFrom(
        std::int64_t index, std::int64_t first, std::int64_t count, Batch& batch,
        std::int64_t place);
    void fill(const ExampleView& example, const Visit& visit, std::size_t row, Batch& batch);
    [[nodiscard]] bool fillWhole(Visit& visit, std::size_t row, Batch& batch);
    void mix(std::int64_t position, std::size_t place, std::size_t count, Batch& batch) const;
    void eraseIn(std::span<float> image, const Visit& visit, const Shape& shape) const;
    void resize(Batch& batch, std::int64_t examples) const;
    [[nodiscard]] Shape imageShape() const;
    [[nodiscard]] std::int64_t positionOf(std::int64_t index) const;

    const Dataset& m_dataset;
    const RowOrder& m_order;
    PipelineSettings m_settings;
    std::optional<Distorter> m_distorter;
    std::optional<MaskedInput> m_masked; ///< instead, for images with masks
    std::optional<PhotoInput> m_photo;   ///< instead, for encoded photographs
    std::vector<Visit> m_visits;
};

/// Batch `index` of a pipeline with these settings, made here and now. For previews and tests.
Batch makeBatch(const Dataset& dataset, const PipelineSettings& settings, std::int64_t index);

} // namespace lockstep
