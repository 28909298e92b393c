// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace lockstep {

struct GrayImage;

/// How far marks may be widened: 0 not at all; d stands for a diamond d pixels wide and high, which
/// makes of one pixel 13 (d = 5), 41 (9), 85 (13) or 145 (17). The authors of SegDecNet reach it by
/// widening (d - 1) / 2 times by the cross of four neighbours, not by a square.
inline constexpr std::array kDilations{0, 5, 9, 13, 17};

/// Throws Error(BadInput) that names the key for any other than these.
void checkDilation(int dilation);

/// Sets to 1 every pixel whose distance, |rows| + |columns|, from one that is marked is at most
/// (dilation - 1) / 2, and the others to 0. Needs one of kDilations.
void dilate(GrayImage& mask, int dilation);

} // namespace lockstep
