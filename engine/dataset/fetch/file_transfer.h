// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/fetch/partial_file.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace lockstep {

/// What to fetch.
struct TransferRequest
{
    std::string url;                       ///< http or https; redirections are followed
    std::int64_t bytes = 0;                ///< size of the whole file
    std::chrono::seconds stallTimeout{30}; ///< given up when hardly anything came for so long
};

/// Fetches the rest of a file over HTTP until `file` has all of it, synced. What is there already
/// is kept if the server can go on from there (RFC 9110: Range, with If-Range and the entity tag so
/// that two versions are never mixed); if it can't, the file is fetched from the beginning.
/// `onBytes` is called several times a second with the bytes that are there; to cancel, throw: it
/// is passed on. Whatever goes wrong, what came stays in `file` for the next time. Throws Error(Io)
/// if the server can't be reached, refuses, stalls or breaks off, Error(Data) if it offers a file
/// of another size. May be called from any thread.
void transferFile(
    const TransferRequest& request, PartialFile& file,
    const std::function<void(std::int64_t)>& onBytes);

} // namespace lockstep
