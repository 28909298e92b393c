// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/histogram.h"
#include "storage/events/png_image.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// A value under the name by which TensorBoard shows it, "conv1/weights". Scalars lose all but
/// float32 on disk.
struct EventValue
{
    std::string tag;
    std::variant<double, Histogram, PngImage> value;
};

/// What one record of an event file is.
enum class EventKind {
    Values,  ///< values of a step
    Version, ///< the first record of a file: "brain.Event:2"
    Start,   ///< what earlier records say of `step` and later ones no longer holds
    Other    ///< something that Lockstep never writes
};

/// One record of an event file. A plain value.
struct EventRecord
{
    EventKind kind = EventKind::Values;
    double time = 0.0; ///< seconds since 1970
    std::int64_t step = 0;
    std::vector<EventValue> values;
};

} // namespace lockstep
