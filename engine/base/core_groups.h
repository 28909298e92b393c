// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace lockstep {

/// The processors that this process may run on, by the numbers that the kernel gives them.
std::vector<int> usableProcessors();

/// For each of `threads` threads the processors of `usable` that it should keep to: those that
/// share their last cache, in one socket and memory node. Threads with neighbouring numbers are put
/// close to each other, so that the first T threads, the next T, and so on share what cores can
/// share. While there is a core for every thread, only the first hardware thread of each core is
/// used.
///
/// A group and not one core, because a thread that shares its only core with another program gets
/// half of its time, and all others wait for it: within the group the system moves it out of the
/// way, and what it works on stays in the cache.
///
/// `folder` holds the kernel's description of each processor N, `cpuN` (the files are explained in
/// the kernel's Documentation/admin-guide/cputopology.rst and
/// ABI/testing/sysfs-devices-system-cpu). Where it is absent, as in some containers, all are one
/// group. Empty where `usable` are fewer than the threads.
std::vector<std::vector<int>> coreGroups(
    int threads, std::vector<int> usable,
    const std::filesystem::path& folder = "/sys/devices/system/cpu");

/// The part of `usable` that falls to process `index` of `count` that share them: whole cores near
/// to each other, as far as they go around. All of them where they are fewer than the processes.
std::vector<int> shareOfProcessors(
    std::vector<int> usable, int index, int count,
    const std::filesystem::path& folder = "/sys/devices/system/cpu");

} // namespace lockstep
