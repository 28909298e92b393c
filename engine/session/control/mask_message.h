// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/mask_record.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

/// Asks for them over the control socket: with the step behind it after which they are wanted.
inline constexpr std::string_view kMasksAfter = "masks ";

/// More of images and masks than these bytes are never sent at once.
inline constexpr std::size_t kMostMaskBytes = 16U << 20U;

/// Masks as they go over the control socket, as CBOR: inputs in 256 shades from black to white,
/// masks and probabilities as they are. Of many or large images the first ones of each tower, as
/// far as `most` bytes go.
std::string toMessage(const MaskRecord& record, std::size_t most = kMostMaskBytes);
/// Error(Data) if it is no such message.
MaskRecord maskRecordFrom(const std::string& message);

} // namespace lockstep
