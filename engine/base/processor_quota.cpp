// SPDX-License-Identifier: Apache-2.0
#include "base/processor_quota.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

using Quota = std::optional<double>;

Quota smaller(const Quota& a, const Quota& b)
{
    return a && b ? std::min(*a, *b) : a ? a : b;
}

Quota share(double microseconds, double period)
{
    return microseconds > 0.0 && period > 0.0 ? Quota(microseconds / period) : std::nullopt;
}

/// "150000 100000", or "max 100000" for none.
Quota quotaOfVersion2(const fs::path& group)
{
    double microseconds = 0.0;
    double period = 0.0;
    std::ifstream file(group / "cpu.max");
    return file >> microseconds >> period ? share(microseconds, period) : std::nullopt;
}

/// -1 for none.
Quota quotaOfVersion1(const fs::path& group)
{
    double microseconds = 0.0;
    double period = 0.0;
    std::ifstream quota(group / "cpu.cfs_quota_us");
    std::ifstream periods(group / "cpu.cfs_period_us");
    return quota >> microseconds && periods >> period ? share(microseconds, period) : std::nullopt;
}

/// Of a group and those above it. In a container the path may be that of the host: what is not
/// there is passed over.
template<class Read>
Quota smallestUpwards(const fs::path& top, fs::path group, Read read)
{
    Quota least = read(top);
    for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
        least = smaller(least, read(top / group));
    }
    return least;
}

} // namespace

Quota processorQuota(const fs::path& groups, const fs::path& ownGroups)
{
    Quota least;
    std::ifstream file(ownGroups);
    for (std::string line; std::getline(file, line);) {
        // "0::/path" in version 2; "4:cpu,cpuacct:/path" in version 1.
        std::istringstream fields(line);
        std::string hierarchy;
        std::string controllers;
        std::string path;
        std::getline(fields, hierarchy, ':');
        std::getline(fields, controllers, ':');
        std::getline(fields, path);
        if (controllers.empty()) {
            least = smaller(least, smallestUpwards(groups, path, quotaOfVersion2));
        } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
            least = smaller(least, smallestUpwards(groups / "cpu", path, quotaOfVersion1));
        }
    }
    return least;
}

} // namespace lockstep
