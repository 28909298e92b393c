// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/layout/reorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cpu {

/// The gradients of a convolution's weights and bias by oneDNN, from the tensors as forward and the
/// layer behind left them. Its fast kernels end at 14 columns (wider ones take its plain loops:
/// 1000 times as long), so a wider filter is worked out as two halves that overlap in a column or
/// more.
class FilterGradient
{
public:
    struct Work
    {
        Conv2d conv;
        WindowDims window;
        Desc src;
        Desc dst;
    };

    explicit FilterGradient(const Work& work);

    /// See slowness().
    [[nodiscard]] int slowness() const;
    [[nodiscard]] std::string describe() const;
    /// Temporary memory of one call.
    [[nodiscard]] std::size_t scratchBytes() const { return m_scratchBytes; }

    void bind(const std::byte* src, std::byte* diffDst, std::byte* scratch);
    /// As parameters lie in the arena; `diffBias` is null where there is none.
    void run(float* diffWeights, float* diffBias);

private:
    /// Some columns of the filter.
    struct Part
    {
        std::int64_t firstColumn = 0;
        std::int64_t columns = 0;
        ConvBackwardWeights desc;
        PrimitiveCall call;
        bool hasBias = false;
        std::optional<Reorder> toArena;
        std::size_t gradient = 0; ///< in the scratch memory
        std::size_t temporary = 0;
    };

    void addColumns(std::int64_t firstColumn, std::int64_t columns, bool hasBias);
    void bindPart(Part& part, const std::byte* src, std::byte* diffDst, std::byte* scratch) const;
    [[nodiscard]] Desc filter(std::int64_t columns) const;

    Work m_work;
    std::vector<Part> m_parts;
    std::size_t m_scratchBytes = 0;
    std::byte* m_scratch = nullptr;
};

} // namespace lockstep::cpu
