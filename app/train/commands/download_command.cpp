// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/data.h"
#include "format/console_format.h"
#include "interrupt.h"

#include <fmt/core.h>

namespace lockstep::train {
namespace {

constexpr const char* kDownloadDescription = "Fetches a data set, checks and unpacks it";

constexpr const char* kDownloadExamples = R"(Examples:
  lockstep-train download cifar10 --data ~/data

Fetches 170 MB from https://www.cs.toronto.edu/~kriz and makes DIR/cifar-10-batches-bin, complete or
not at all. Ctrl-C stops; the same command goes on where it stopped. Data that is there is left alone.)";

struct DownloadOptions
{
    explicit DownloadOptions(Command& command)
    {
        command.option("DATASET", dataset, "", "cifar10").isRequired();
        command.option(
            "--data", folder, "DIR",
            "Folder to put it in; default $XDG_DATA_HOME/lockstep/datasets");
    }

    std::string dataset;
    std::string folder;
};

std::string phaseText(const DownloadProgress& progress)
{
    switch (progress.phase) {
    case DownloadPhase::Transferring:
        return fmt::format("{} of {}", bytesText(progress.bytes), bytesText(progress.total));
    case DownloadPhase::Checking:
        return "checking";
    case DownloadPhase::Unpacking:
        break;
    }
    return "unpacking";
}

int download(const DownloadOptions& options)
{
    if (options.dataset != "cifar10") {
        fail(ErrorCode::BadInput, "'{}' can't be downloaded; choose cifar10", options.dataset);
    }
    catchInterrupts();
    Console console;
    const std::filesystem::path folder =
        options.folder.empty() ? standardDatasetsFolder() : std::filesystem::path(options.folder);
    const Cifar10Archive archive;
    const auto result = downloadCifar10(folder, archive, [&](const DownloadProgress& progress) {
        const double share = progress.total > 0 ? static_cast<double>(progress.bytes)
                                                      / static_cast<double>(progress.total)
                                                : 0.0;
        console.progress(progressBar(share, phaseText(progress)));
        return !isInterrupted();
    });
    if (result.wasThere) {
        console.note("the data is there already, nothing was fetched");
    }
    console.result(result.folder.string());
    return 0;
}

} // namespace

void addDownloadCommand(CommandLine& program)
{
    program.add("download", kDownloadDescription, kDownloadExamples, download);
}

} // namespace lockstep::train
