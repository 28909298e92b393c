// SPDX-License-Identifier: Apache-2.0
#include "input/input_pipeline.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_team.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

namespace lockstep {

namespace {

/// So that loaders work, however few batches may be made ahead, as far as a batch has rows.
int partsOf(const PipelineSettings& settings)
{
    const std::int64_t most =
        std::max<std::int64_t>(1, settings.ownRows() / settings.rowsTogether());
    return static_cast<int>(std::min(std::int64_t{settings.threads}, most));
}

} // namespace

InputPipeline::InputPipeline(const Dataset& dataset, const PipelineSettings& settings)
try : m_order(dataset, settings), m_parts(partsOf(settings)), m_together(settings.rowsTogether()),
    m_ring(
        settings.prefetchBatches, settings.batches(dataset), m_parts,
        [this](std::int64_t index, Batch& batch) { m_builders.front().begin(index, batch); }) {
    m_builders.reserve(static_cast<std::size_t>(settings.threads));
    for (int i = 0; i < settings.threads; ++i) {
        m_builders.emplace_back(dataset, settings, m_order);
    }
    m_ring.forEachBatch([&](Batch& batch) { m_builders.front().reserve(batch); });
    startLoaders();
} catch (const std::bad_alloc&) {
    fail(
        ErrorCode::OutOfMemory,
        "the input needs {} MiB for {} batches of {} examples and can't have them: make the batch "
        "smaller or prefetch fewer batches",
        bytes(dataset, settings) >> 20, settings.prefetchBatches + 1, settings.ownRows());
}

InputPipeline::~InputPipeline()
{
    joinLoaders();
}

void InputPipeline::startLoaders()
{
    m_loaders.reserve(m_builders.size());
    try {
        for (auto& builder : m_builders) {
            const auto name = fmt::format("loader-{}", m_loaders.size());
            auto& loader = m_loaders.emplace_back([this, &builder] { load(builder); });
            pthread_setname_np(loader.native_handle(), name.c_str());
        }
    } catch (const std::system_error& refusal) {
        joinLoaders();
        fail(
            ErrorCode::BadInput,
            "the system refuses to run {} loader threads ({}): give fewer (input.threads)",
            m_builders.size(), refusal.what());
    }
}

void InputPipeline::load(BatchBuilder& builder)
{
    const SignalStack stack;
    while (const auto claim = m_ring.claim()) {
        try {
            const double before = threadProcessorSeconds();
            const std::int64_t rows = claim->batch->examples;
            const std::int64_t groups = rows / m_together;
            const std::int64_t first = groups * claim->part / m_parts * m_together;
            const std::int64_t end = groups * (claim->part + 1) / m_parts * m_together;
            builder.fillRows(claim->index, first, end - first, *claim->batch);
            m_workSeconds += threadProcessorSeconds() - before;
            m_ring.publish(*claim);
        } catch (...) {
            m_ring.abandon(*claim, std::current_exception());
        }
    }
}

void InputPipeline::joinLoaders()
{
    m_ring.close();
    for (auto& loader : m_loaders) {
        loader.join();
    }
}

std::int64_t InputPipeline::workingBytes(const Dataset& dataset, const PipelineSettings& settings)
{
    const DistortionSettings& distortion = settings.distortion;
    const Shape input{
        distortion.cropHeight, distortion.cropWidth, dataset.info().imageShape.channels};
    if (distortion.photo) {
        return PhotoInput::bytes(input, EncodedDataset::of(dataset));
    }
    return distortion.masked ? MaskedInput::bytes(*distortion.masked, input, dataset.info())
                             : Distorter::bytes(input);
}

std::int64_t InputPipeline::bytes(const Dataset& dataset, const PipelineSettings& settings)
{
    const auto visits = settings.globalBatch * static_cast<std::int64_t>(sizeof(Visit));
    return (settings.prefetchBatches + 1) * settings.batchBytes(dataset)
           + RowOrder::bytes(dataset, settings)
           + settings.threads * (visits + workingBytes(dataset, settings));
}

} // namespace lockstep
