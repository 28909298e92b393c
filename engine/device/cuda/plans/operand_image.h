// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/pad_kernel.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/op.h"
#include "network/network_spec.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// The source of a convolution as cuDNN reads it. cuDNN pads by the same number of cells on both
/// sides only: where TensorFlow's rule wants one more at the bottom or right, it reads a padded
/// copy. Where bfloat16 is wanted and src is float32 (behind a fully connected layer without
/// activation), it reads a rounded copy.
class OperandImage
{
public:
    /// Under windows of `kernel`. Adds the copies that are needed to the plan's workspace.
    void plan(OpPlan& plan, const Extent& kernel, const Extent& stride, Padding padding);
    /// Adds what diffSrc needs on its way back to a scratchpad of so many bytes.
    void planDiff(std::size_t& scratchpadBytes);

    /// Of one example, as cuDNN reads it.
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    /// That is left for cuDNN.
    [[nodiscard]] Extent padding() const { return m_padding; }

    /// Makes the copies.
    void make(cudaStream_t stream, const OpMemory& memory) const;
    [[nodiscard]] std::byte* address(const OpMemory& memory) const;

    /// Whether the gradient can be added to diffSrc: cuDNN puts it there itself.
    [[nodiscard]] bool mayAddDiff() const { return !m_isPadded && !m_isRounded; }
    /// Where cuDNN puts the gradient of what it read.
    [[nodiscard]] std::byte* diffAddress(const OpMemory& memory) const;
    /// Makes diffSrc of it.
    void finishDiff(cudaStream_t stream, const OpMemory& memory) const;

private:
    Shape m_shape;
    Extent m_padding{0, 0};
    bool m_isPadded = false;
    bool m_isRounded = false;
    WindowCopy m_pad;
    WindowCopy m_crop;
    std::int64_t m_bareValues = 0;
    std::size_t m_bareBytes = 0;
    std::size_t m_paddedBytes = 0;
    // Places in the workspace and, for the gradients, in the scratchpad.
    std::size_t m_rounded = 0;
    std::size_t m_padded = 0;
    std::size_t m_roundedDiff = 0;
    std::size_t m_paddedDiff = 0;
};

} // namespace lockstep::cuda
