// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/fetch/file_transfer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lockstep {

/// The archive of CIFAR-10 in its binary layout, and how to know it. The defaults are the official
/// one of https://www.cs.toronto.edu/~kriz/cifar.html.
struct Cifar10Archive
{
    TransferRequest request{
        .url = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", .bytes = 170'052'171};
    std::string sha256 = "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd";
};

/// What a download is doing, in this order.
enum class DownloadPhase {
    Transferring, ///< fetching the archive
    Checking,     ///< comparing the archive's checksum
    Unpacking,    ///< writing the files
};

/// How far a download is.
struct DownloadProgress
{
    DownloadPhase phase = DownloadPhase::Transferring;
    std::int64_t bytes = 0; ///< of the archive, in this phase
    std::int64_t total = 0; ///< size of the archive
};

/// Told several times a second in every phase, on the thread that downloads; false cancels.
using DownloadCallback = std::function<bool(const DownloadProgress&)>;

/// What a download came to.
struct DownloadResult
{
    std::filesystem::path folder; ///< the one with the .bin files
    bool wasThere = false;        ///< valid data was there already; nothing was done
    std::int64_t resumedFrom = 0; ///< bytes that an earlier, broken download had left
};

/// Makes `directory/cifar-10-batches-bin`, complete or not at all: fetches the archive (going on
/// where an earlier try stopped), compares its SHA-256, unpacks it into a temporary folder, checks
/// layout, sizes and labels as openCifar10 does, and renames the folder. Needs 350 MB while it
/// runs. Data that is there already and valid is left alone; if it is not valid, the download is
/// refused, because nothing of the user's is ever deleted or replaced. Throws Error(Cancelled) when
/// the callback returns false; what came of the archive is kept then, as it is when the connection
/// breaks. Throws as transferFile, unpackArchive and openCifar10 do, and Error(Data) for a wrong
/// checksum; the archive is removed then. May be called from any thread.
DownloadResult downloadCifar10(
    const std::filesystem::path& directory, const Cifar10Archive& archive,
    const DownloadCallback& onProgress);

} // namespace lockstep
