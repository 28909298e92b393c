// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <array>
#include <cstddef>
#include <initializer_list>

namespace lockstep {

/// The losses of the objectives of a network, in their order. Empty for a network with only one:
/// its loss is the tower's without the weight decay. A plain value without memory of its own, so
/// that every tower of every step can have one.
class ObjectiveLosses
{
public:
    static constexpr std::size_t kMost = 4; ///< objectives of a network

    ObjectiveLosses() = default;
    ObjectiveLosses(std::initializer_list<double> losses)
    {
        for (const double loss : losses) {
            add(loss);
        }
    }

    void add(double loss)
    {
        require(m_size < kMost, "more objectives than a record holds");
        m_losses[m_size++] = loss;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
    [[nodiscard]] double operator[](std::size_t objective) const { return m_losses[objective]; }
    [[nodiscard]] double& operator[](std::size_t objective) { return m_losses[objective]; }
    [[nodiscard]] const double* begin() const noexcept { return m_losses.data(); }
    [[nodiscard]] const double* end() const noexcept { return m_losses.data() + m_size; }
    bool operator==(const ObjectiveLosses&) const = default;

private:
    std::array<double, kMost> m_losses{};
    std::size_t m_size = 0;
};

} // namespace lockstep
