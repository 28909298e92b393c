// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "device/cuda/arrays/kernel.h"

#include <Random123/philox.h>

#include <cstdint>

namespace lockstep::cuda {

/// The same numbers as lockstep::PhiloxStream, in kernels; from number 4 * firstBlock on.
class DevicePhilox
{
public:
    __device__ DevicePhilox(
        std::uint64_t seed, RandomPurpose purpose, std::uint32_t epoch, std::uint32_t example,
        std::uint32_t firstBlock = 0)
        : m_key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}},
          m_counter{{firstBlock, example, epoch, static_cast<std::uint32_t>(purpose)}}
    {
    }

    [[nodiscard]] __device__ std::uint32_t next()
    {
        if (m_used == 4) {
            m_block = r123::Philox4x32{}(m_counter, m_key);
            ++m_counter.v[0];
            m_used = 0;
        }
        // Not m_block[m_used++]: an index that is not a constant would put the block into memory.
        const std::uint32_t number = m_block.v[0];
        m_block.v[0] = m_block.v[1];
        m_block.v[1] = m_block.v[2];
        m_block.v[2] = m_block.v[3];
        ++m_used;
        return number;
    }

    [[nodiscard]] __device__ float uniform() { return static_cast<float>(next() >> 8U) * 0x1p-24F; }

    /// In [low, high), rounded as the host rounds: without a fused multiply-add.
    [[nodiscard]] __device__ float uniform(float low, float high)
    {
        const float value = __fadd_rn(low, __fmul_rn(high - low, uniform()));
        return value < high ? value : nextafterf(high, low);
    }

    [[nodiscard]] __device__ std::uint32_t below(std::uint32_t bound)
    {
        std::uint64_t product = std::uint64_t{next()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t threshold = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) {
                product = std::uint64_t{next()} * bound;
            }
        }
        return static_cast<std::uint32_t>(product >> 32U);
    }

private:
    r123::Philox4x32::key_type m_key;
    r123::Philox4x32::ctr_type m_counter;
    r123::Philox4x32::ctr_type m_block{};
    unsigned m_used = 4;
};

} // namespace lockstep::cuda
