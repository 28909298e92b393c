// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::train {

/// A machine, and how many ranks run there: one after the other, in the order of the machines.
struct LaunchHost
{
    std::string name;
    int ranks = 0; ///< until spreadRanks(): its slots; 0: not said
};

/// "node1:2,node2": names and, after a colon, slots. Error(BadInput) names what can't be read.
std::vector<LaunchHost> hostsOf(const std::string& list);
/// A host file of Open MPI: a line each, "node1 slots=2 # comment". Error(BadInput) names the line.
std::vector<LaunchHost> hostsInFile(const std::filesystem::path& file);

/// So many ranks, 0: all slots. Where hosts say their slots, these are filled in turn, else all get
/// alike; hosts without ranks are left out. Error(BadInput) if there are not enough.
std::vector<LaunchHost> spreadRanks(std::vector<LaunchHost> hosts, int ranks);

/// All ranks of these.
int ranksOf(const std::vector<LaunchHost>& hosts);

/// Takes away what was lost with rank `rank`: its host, or of the only host that rank. Returns what
/// it took, for people: "node2 with 2 ranks".
std::string takeAway(std::vector<LaunchHost>& hosts, int rank);

} // namespace lockstep::train
