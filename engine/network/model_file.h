// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <filesystem>
#include <string>

namespace lockstep {

/// A network from a TOML file; resources/models/small.toml shows and explains the form. Everything
/// wrong (syntax, an unknown key, a shape that can't be) throws Error(BadInput) with file and
/// layer.
NetworkSpec readModelFile(const std::filesystem::path& file);

/// A network from such a file's text; `origin` is what errors call it.
NetworkSpec parseModel(const std::string& text, const std::string& origin);

} // namespace lockstep
