// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run/training_run.h"

#include <string>

namespace lockstep {

/// The whole request as one line of JSON, for another process, and back. Keys of the configuration
/// that are of no use to it are left out, see toToml(). Error(BadInput) if the text is no request.
std::string toText(const RunRequest& request);
RunRequest runRequestFrom(const std::string& text);

} // namespace lockstep
