// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/event_record.h"

#include <optional>
#include <string>

namespace lockstep {

/// A record as the payload of an event file: TensorFlow's message Event.
std::string encodeEvent(const EventRecord& record);

/// The record that a payload is; values of kinds that Lockstep does not write are left out. Empty
/// if it is no Event at all.
std::optional<EventRecord> decodeEvent(const std::string& payload);

} // namespace lockstep
