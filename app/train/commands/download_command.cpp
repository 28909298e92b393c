// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/data.h"
#include "format/console_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Fetches a data set, checks and unpacks it";

constexpr const char* kExamples = R"(Examples:
  lockstep-train download cifar10 --data ~/data

Fetches 170 MB from https://www.cs.toronto.edu/~kriz and makes DIR/cifar-10-batches-bin, complete or
not at all. Ctrl-C stops; the same command goes on where it stopped. Data that is there is left alone.)";

struct Options
{
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

int download(const Options& options)
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

void addDownloadCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("download", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>();
    command->add_option("DATASET", options->dataset, "cifar10")->type_name("")->required();
    command
        ->add_option(
            "--data", options->folder,
            "Folder to put it in; default $XDG_DATA_HOME/lockstep/datasets")
        ->type_name("DIR");
    command->callback([options, &action] { action = [options] { return download(*options); }; });
}

} // namespace lockstep::train
