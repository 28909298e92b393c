// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/mirror/frame_channel.h"
#include "session/remote/remote_values.h"
#include "storage/store/run_stamp.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// The runs in a folder, as they change. One thread.
class RunListing
{
public:
    explicit RunListing(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// A frame with the names of all, that written to last first, and with those that are new or
    /// have changed since the frame before; empty if nothing has. Reads little more than what has
    /// changed.
    std::optional<Frame> news();

private:
    struct Known
    {
        std::optional<RunStamp> stamp;
        RemoteRun told;
    };

    std::filesystem::path m_folder;
    std::map<std::string, Known> m_known;
    std::vector<std::string> m_names;
    bool m_isTold = false;
};

} // namespace lockstep
