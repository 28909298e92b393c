// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lockstep {

/// A network from a TOML file; resources/models/small.toml shows and explains the form. Everything
/// wrong (syntax, an unknown key, a shape that can't be) throws Error(BadInput) with file and
/// layer.
///
/// `classes`: instead of the file's number, which "$classes" stands for in it; 0: the file's.
NetworkSpec readModelFile(const std::filesystem::path& file, std::int64_t classes = 0);

/// A network from such a file's text; `origin` is what errors call it.
NetworkSpec parseModel(
    const std::string& text, const std::string& origin, std::int64_t classes = 0);

/// Whether this is a TOML file that describes a network, rightly or not.
bool describesNetwork(const std::filesystem::path& file);

} // namespace lockstep
