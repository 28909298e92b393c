// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// "0.9.0"; between releases with what came since, "0.9.0+3.g4c0ffee".
std::string versionText();

/// The commit that the program was built from, "4c0ffee12345", with "-dirty" where its source was
/// changed; "unknown" where that can't be told.
std::string revisionText();

} // namespace lockstep
