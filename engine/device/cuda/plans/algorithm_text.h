// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/planning.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

// Op::describe of ops of several parts: "fprop <algorithm>; dgrad <algorithm>; wgrad <algorithm>".
namespace lockstep::cuda {

/// The algorithm of a part. Without one: kFirstAlgorithm if the text holds that, else empty.
inline std::string partOf(const std::string& text, std::string_view name)
{
    constexpr std::string_view kSeparator = "; ";
    std::string otherwise;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(kSeparator, begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == ' ') {
            return part.substr(name.size() + 1);
        }
        otherwise = part == kFirstAlgorithm ? part : otherwise;
        begin = end + kSeparator.size();
    }
    return otherwise;
}

/// The products of a layer with weights: Convolution or Matmul.
template<class Product>
struct LayerProducts
{
    std::shared_ptr<const Product> forward;
    std::shared_ptr<const Product> dataGradient;   ///< null: not wanted
    std::shared_ptr<const Product> weightGradient; ///< null: not wanted

    /// Op::describe.
    [[nodiscard]] std::string describe() const
    {
        std::string text = "fprop " + forward->describe();
        text += dataGradient ? "; dgrad " + dataGradient->describe() : "";
        text += weightGradient ? "; wgrad " + weightGradient->describe() : "";
        return text;
    }
};

/// What describe() of a plan has after its library's part where a kernel of ours runs after it.
constexpr std::string_view kOwnKernel = " + kernel";

} // namespace lockstep::cuda
