// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/events/event_file.h"

#include <span>

namespace lockstep::test {

inline void append(EventFile& file, const EventRecord& record)
{
    file.append(std::span(&record, 1));
}

} // namespace lockstep::test
