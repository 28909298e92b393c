// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_gradients.h"

#include <cstddef>
#include <utility>

namespace lockstep {

DeviceGradients::DeviceGradients(
    const Accelerator& device, std::vector<ParameterChunk> chunks, int towers,
    std::int64_t everySteps)
    : m_chunks(std::move(chunks)),
      m_sums{nullptr, kSlots, everySteps, std::ssize(m_chunks), towers},
      m_ring(device.allocateShared(static_cast<std::size_t>(m_sums.count()) * sizeof(double)))
{
    m_sums.ring = reinterpret_cast<double*>(m_ring.data());
}

void DeviceGradients::addTo(std::int64_t step, std::vector<ParameterGradientRecord>& byChunk) const
{
    for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk) {
        const double* const sums = m_sums.at(step, static_cast<std::int64_t>(chunk));
        ParameterGradientRecord& own = byChunk[chunk];
        own.gradientSquares = sums[GradientSums::MeanSquares];
        own.weightSquares = sums[GradientSums::WeightSquares];
        own.updateSquares = sums[GradientSums::UpdateSquares];
        for (int tower = 0; tower < m_sums.towers; ++tower) {
            const double* const ofTower =
                &sums[GradientSums::Towers + 2 * static_cast<std::ptrdiff_t>(tower)];
            own.towers.push_back({ofTower[0], ofTower[1]});
        }
    }
}

} // namespace lockstep
