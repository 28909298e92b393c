// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/layout/reorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lockstep::cpu {

/// The gradients of a convolution's weights and bias by matrix products: the source is unfolded, so
/// that each position of dst has the values of its window side by side, and the weights' gradient
/// is [channels of dst x positions] * [positions x window]. Meant for processors with AMX (where it
/// was not timed whole), whose tiles oneDNN 2.6 keeps busy in products (4 to 5.4 ms for conv2 of
/// cifar10 and 128 examples on one core, before the unfolding) but not in its own kernel for these
/// gradients (16 to 17 ms); on others it is the slower way. bfloat16, all channels of a cell side
/// by side. Works on pieces that fit into the second-level cache, in their order.
class UnfoldedGradient
{
public:
    /// What is planned; src and dst as in OpPlan.
    struct Work
    {
        Conv2d conv;
        std::int64_t examples = 0;
        Shape src;
        Shape dst;
    };

    explicit UnfoldedGradient(const Work& work);

    /// Temporary memory of one call.
    [[nodiscard]] std::size_t scratchBytes() const { return m_scratchBytes; }
    void bind(std::byte* scratch);
    /// `diffWeights` as parameters lie in the arena; `diffBias` is null where there is none.
    void run(const std::byte* src, const std::byte* diffDst, float* diffWeights, float* diffBias);

private:
    /// The product over a number of lines.
    struct Product
    {
        std::int64_t lines = 0;
        MatrixProduct desc;
        PrimitiveCall call;
    };

    [[nodiscard]] Product makeProduct(std::int64_t lines) const;
    void runPiece(Product& product, std::int64_t firstLine, const std::byte* src);
    void unfoldLine(std::int64_t line, const std::byte* src, std::byte* to) const;

    Work m_work;
    std::int64_t m_rowsBefore = 0; ///< padding
    std::int64_t m_columnsBefore = 0;
    std::int64_t m_windowValues = 0; ///< window height x width x source channels
    Product m_whole;
    std::optional<Product> m_rest; ///< of the last lines, where they are fewer
    std::optional<Reorder> m_toArena;
    std::size_t m_scratchBytes = 0;
    std::size_t m_unfolded = 0;
    std::size_t m_sum = 0;
    std::size_t m_temporary = 0;
    std::byte* m_scratch = nullptr;
};

} // namespace lockstep::cpu
