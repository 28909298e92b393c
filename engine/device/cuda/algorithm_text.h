// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

// Op::describe of ops of several parts: "fprop <algorithm>; dgrad <algorithm>; wgrad <algorithm>".
namespace lockstep::cuda {

inline void addPart(std::string& text, std::string_view name, const std::string& algorithm)
{
    text += text.empty() ? "" : "; ";
    text += name;
    text += ' ' + algorithm;
}

/// The algorithm of a part; empty if the text has no such part.
inline std::string partOf(const std::string& text, std::string_view name)
{
    constexpr std::string_view kSeparator = "; ";
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(kSeparator, begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == ' ') {
            return part.substr(name.size() + 1);
        }
        begin = end + kSeparator.size();
    }
    return {};
}

/// What describe() of a plan has after its library's part where a kernel of ours runs after it.
constexpr std::string_view kOwnKernel = " + kernel";

} // namespace lockstep::cuda
