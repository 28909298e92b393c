// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

/// Where runs lie on another machine: `ssh://[user@]host[:port]/path`. An IPv6 address stands in
/// brackets, `ssh://[fe80::1]/runs`; `/~/path` is relative to the home folder there; `%20` and the
/// like are decoded in the path.
struct RemoteAddress
{
    std::string user; ///< empty: as ssh chooses
    std::string host; ///< a name that ssh knows, also of `Host` in ~/.ssh/config
    int port = 0;     ///< 0: as ssh chooses
    /// Folder of runs, or a run; absolute, or relative to the home folder there ("~/…"). Empty: the
    /// runs folder that lockstep-train takes by default there.
    std::string path;

    bool operator==(const RemoteAddress&) const = default;

    /// "me@host:2222": without the path, for people.
    [[nodiscard]] std::string machine() const;
    /// As parseRemoteAddress() reads it.
    [[nodiscard]] std::string text() const;
};

/// Whether a text is meant as such an address: it begins with "ssh://".
bool isRemoteAddress(std::string_view text);

/// Error(BadInput) names the text and what is wrong with it. "ssh://" may be left out.
RemoteAddress parseRemoteAddress(const std::string& text);

} // namespace lockstep
