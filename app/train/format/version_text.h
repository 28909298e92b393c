// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep::train {

/// Version of the program, then one line for each library that it uses.
std::string versionLines();

} // namespace lockstep::train
