// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace lockstep {

/// Processors whose time the control groups of this process let it use on average, 1.5 say, as
/// containers are limited; none: there is no limit. It is no number of processors that could
/// be told apart: a process that has used up its share stands still on all of them for a while.
///
/// Reads cpu.max, or cpu.cfs_quota_us of version 1, of the group that `ownGroups` names and of all
/// groups above it (Linux: Documentation/admin-guide/cgroup-v2.rst).
std::optional<double> processorQuota(
    const std::filesystem::path& groups = "/sys/fs/cgroup",
    const std::filesystem::path& ownGroups = "/proc/self/cgroup");

} // namespace lockstep
