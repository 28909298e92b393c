// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace lockstep {

struct RunConfig;

/// Calls `set`, which sets keys of `config`. The batch has two names, of a tower and of all: what
/// is set under either replaces what was there under the other.
void replaceBatch(RunConfig& config, const std::function<void()>& set);

/// The same for a configuration that a run has had: its threads per tower were chosen for as many
/// towers as it has, so that other towers get a new number, unless one is set.
void replaceSettings(RunConfig& config, const std::function<void()>& set);

} // namespace lockstep
