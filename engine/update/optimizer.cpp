// SPDX-License-Identifier: Apache-2.0
#include "update/optimizer.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

Optimizer::Optimizer(
    const HostDevice& device, const NetworkSpec& network, const ParameterArena& arena,
    const std::vector<ParameterChunk>& chunks, const OptimizerSettings& settings)
    : m_device(device), m_arena(arena), m_settings(settings), m_constants(constantsOf(settings)),
      m_chunks(chunks), m_loss(chunks.size()), m_squares(chunks.size())
{
    require(
        arena.slotSpecs().data() == slotsOf(settings.kind).data(),
        "the arena has the slots of another optimizer");
    for (const ParameterChunk& chunk : chunks) {
        const auto& parameter = network.parameters[static_cast<std::size_t>(chunk.parameter)];
        m_weightDecay.push_back(parameter.weightDecay);
        m_momentRate.push_back(parameter.isStatistic() ? 1.0 - parameter.decay : 0.0);
    }
}

void Optimizer::apply(ThreadTeam& threads, const UpdateSettings& update)
{
    m_gradientNorm = m_settings.clipNorm > 0.0 ? gradientNorm(threads) : -1.0;
    const double scale = clipScale(m_settings, m_gradientNorm);
    shareOut(threads, m_chunks.size(), [&](std::size_t i) {
        const ParameterChunk& chunk = m_chunks[i];
        m_device.update(ruleOf(i, update, scale), chunk.count, m_arena.updateArrays(chunk.offset));
        addSquares(i);
    });
    sumUp();
}

/// Statistics have no gradient, and no part in it.
double Optimizer::gradientNorm(ThreadTeam& threads)
{
    shareOut(threads, m_chunks.size(), [&](std::size_t i) {
        const ParameterChunk& piece = m_chunks[i];
        if (m_momentRate[i] == 0.0) {
            m_squares[i] = m_device.sumOfSquares(
                {m_arena.gradient() + piece.offset, static_cast<std::size_t>(piece.count)});
        }
    });
    return std::sqrt(std::accumulate(m_squares.begin(), m_squares.end(), 0.0));
}

UpdateRule Optimizer::ruleOf(std::size_t chunk, const UpdateSettings& update, double scale) const
{
    const bool isStatistic = m_momentRate[chunk] > 0.0;
    const double momentRate = std::max(m_momentRate[chunk], 1.0 - update.momentDecay);
    return {
        static_cast<float>(isStatistic ? momentRate : update.learningRate),
        isStatistic ? 1.0F : static_cast<float>(m_weightDecay[chunk]),
        static_cast<float>(1.0 - update.averageDecay),
        isStatistic ? UpdateConstants{} : m_constants,
        static_cast<float>(update.decayRate),
        static_cast<float>(update.epsilonScale),
        isStatistic ? 1.0F : static_cast<float>(scale)};
}

void Optimizer::refreshWeightDecayLoss(ThreadTeam& threads)
{
    shareOut(threads, m_chunks.size(), [&](std::size_t i) { addSquares(i); });
    sumUp();
}

void Optimizer::addSquares(std::size_t chunk)
{
    if (m_weightDecay[chunk] != 0.0 && decaysByLoss(m_constants.kind)) {
        const ParameterChunk& piece = m_chunks[chunk];
        m_loss[chunk] =
            m_weightDecay[chunk] / 2.0
            * m_device.sumOfSquares(
                {m_arena.weights() + piece.offset, static_cast<std::size_t>(piece.count)});
    }
}

void Optimizer::sumUp()
{
    m_weightDecayLoss = std::accumulate(m_loss.begin(), m_loss.end(), 0.0);
}

} // namespace lockstep
