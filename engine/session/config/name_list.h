// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace lockstep {

/// Names as a list in TOML, "['conv1', 'logits']"; "[]" without any.
std::string namesText(const std::vector<std::string>& names);

/// From what stands under `key`: a list of texts, or one text. Error(BadInput) names the key.
std::vector<std::string> readNames(const std::string& key, const toml::node& node);
/// From text, as after `--set key=conv1,logits`: such a list, or names with commas between them.
std::vector<std::string> readNames(const std::string& key, const std::string& text);

} // namespace lockstep
