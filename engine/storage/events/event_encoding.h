// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/events/event_record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lockstep {

/// A record as the payload of an event file: TensorFlow's message Event.
std::string encodeEvent(const EventRecord& record);

/// The record that a payload is; values of kinds that Lockstep does not write are left out. Empty
/// if it is no Event at all.
std::optional<EventRecord> decodeEvent(const std::string& payload);

/// The step of an event, of which these are the first bytes, 32 at least: TensorFlow and Lockstep
/// write time and step before the rest. Empty if they do not begin one.
std::optional<std::int64_t> stepOf(std::span<const char> beginning);

} // namespace lockstep
