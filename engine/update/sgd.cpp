// SPDX-License-Identifier: Apache-2.0
#include "update/sgd.h"

#include <numeric>

namespace lockstep {

Sgd::Sgd(
    const HostDevice& device, const NetworkSpec& network, const ParameterArena& arena,
    const std::vector<ParameterChunk>& chunks)
    : m_device(device), m_arena(arena), m_chunks(chunks), m_loss(chunks.size())
{
    for (const ParameterChunk& chunk : chunks) {
        m_weightDecay.push_back(
            network.parameters[static_cast<std::size_t>(chunk.parameter)].weightDecay);
    }
}

void Sgd::apply(ThreadTeam& threads, double learningRate, double averageDecay)
{
    shareOut(threads, m_chunks.size(), [&](std::size_t i) {
        const ParameterChunk& chunk = m_chunks[i];
        const UpdateRule rule{
            static_cast<float>(learningRate), static_cast<float>(m_weightDecay[i]),
            static_cast<float>(1.0 - averageDecay)};
        m_device.update(rule, chunk.count, m_arena.updateArrays(chunk.offset));
        addSquares(i);
    });
    sumUp();
}

void Sgd::refreshWeightDecayLoss(ThreadTeam& threads)
{
    shareOut(threads, m_chunks.size(), [&](std::size_t i) { addSquares(i); });
    sumUp();
}

void Sgd::addSquares(std::size_t chunk)
{
    if (m_weightDecay[chunk] != 0.0) {
        const ParameterChunk& piece = m_chunks[chunk];
        m_loss[chunk] =
            m_weightDecay[chunk] / 2.0
            * m_device.sumOfSquares(
                {m_arena.weights() + piece.offset, static_cast<std::size_t>(piece.count)});
    }
}

void Sgd::sumUp()
{
    m_weightDecayLoss = std::accumulate(m_loss.begin(), m_loss.end(), 0.0);
}

} // namespace lockstep
