// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace lockstep {

/// What a stream of random numbers is for. Streams of different purposes never overlap. The values
/// are part of the meaning of a seed: never renumber them.
enum class RandomPurpose : std::uint32_t {
    InitialValues = 1, ///< epoch 0, example = number of the parameter
    Shuffle = 2,       ///< example 0
    Distortion = 3,    ///< one stream per example and epoch
    Synthetic = 4,     ///< the generated data set: one stream per example
    Poison = 5,        ///< labels of a poisoned tower: one stream per example and epoch
    BatchOrder = 6,    ///< of the classes in a balanced batch: epoch and example are the high and
                       ///< the low half of its position
    Folds = 7,         ///< the order in which items are dealt: epoch 0, example 0
    SyntheticDefects = 8, ///< the generated data set with masks: one stream per example
    Bootstrap = 9,        ///< resampled scores: one stream per sample
    DropoutKeys = 10,     ///< the seed of a layer's dropout: epoch 0, example = number of the layer
    Dropout = 11,         ///< epoch = step, example = row of the batch of all towers
    Holdout = 12,         ///< which images of a class are tested on: epoch 0, example = label
    Erasing = 13,         ///< the box that is erased: one stream per example and epoch
    Mixup = 14,           ///< the share of a mixed pair of rows: epoch and example are the high and
                          ///< the low half of its position
};

/// Random numbers as a function of (seed, purpose, epoch, example): Philox 4x32-10 (Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", 2011; Random123). The seed is the key; the
/// counter is {block, example, epoch, purpose}. So a number does not depend on which thread, tower
/// or device draws it, nor on what was drawn before a resume. Not thread-safe: a stream is a cheap
/// value, make one where it is needed.
class PhiloxStream
{
public:
    PhiloxStream(
        std::uint64_t seed, RandomPurpose purpose, std::uint32_t epoch, std::uint32_t example);

    /// Next 32 random bits.
    std::uint32_t next();
    /// Uniform in [0, 1), 24 bits.
    float uniform();
    /// Uniform in [low, high). Needs low < high.
    float uniform(float low, float high);
    /// Uniform in 0 .. bound - 1 without bias (Lemire, "Fast random integer generation in an
    /// interval", 2019). Needs bound > 0.
    std::uint32_t below(std::uint32_t bound);
    /// Standard normal (Box-Muller); draws two numbers a call.
    double normal();

private:
    std::uint64_t m_seed;
    std::array<std::uint32_t, 4> m_counter;
    std::array<std::uint32_t, 4> m_block{};
    unsigned m_used = 4;
};

} // namespace lockstep
