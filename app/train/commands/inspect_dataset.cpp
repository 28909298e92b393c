// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/config.h"
#include "engine/data.h"
#include "format/units.h"

#include <nlohmann/json.hpp>

#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::train {
namespace {

/// What a split of a data set holds.
struct SplitContent
{
    explicit SplitContent(const DatasetRequest& request, Split split)
        : dataset(openDataset(request, split)), counts(examplesPerClass(*dataset)),
          encoded(dynamic_cast<const EncodedDataset*>(dataset.get()))
    {
    }

    [[nodiscard]] const DatasetInfo& info() const { return dataset->info(); }

    std::unique_ptr<Dataset> dataset;
    std::vector<std::int64_t> counts;
    const EncodedDataset* encoded; ///< the data set, if its images are
};

Json toJson(const SplitContent& content)
{
    Json classes = Json::array();
    for (std::size_t label = 0; label < content.counts.size(); ++label) {
        classes.push_back(
            {{"label", label},
             {"name", content.info().classNames[label]},
             {"examples", content.counts[label]}});
    }
    Json split{
        {"split", content.info().split},
        {"examples", content.dataset->size()},
        {"classes", classes}};
    const SizeRange& sizes = content.info().sizes;
    if (sizes.most.height > 0) {
        split["least_size"] = {sizes.least.height, sizes.least.width};
        split["most_size"] = {sizes.most.height, sizes.most.width};
    }
    if (content.encoded != nullptr) {
        split["largest_pixels"] = content.encoded->largest().pixels;
        split["left_out"] = content.encoded->leftOut();
    }
    return split;
}

void print(Console& console, const SplitContent& content)
{
    console.result(fmt::format(
        "{}, {}: {} examples of {} classes", content.info().name, content.info().split,
        content.dataset->size(), content.counts.size()));
    if (const std::string sizes = content.info().sizes.text(); !sizes.empty()) {
        console.result(fmt::format("  images of {} (height × width)", sizes));
    }
    if (content.encoded != nullptr) {
        console.result(fmt::format(
            "  largest image {:.2f} megapixels",
            static_cast<double>(content.encoded->largest().pixels) / kMega));
        for (const std::string& reason : content.encoded->leftOut()) {
            console.result(fmt::format("  left out: {}", reason));
        }
    }
    for (std::size_t label = 0; label < content.counts.size(); ++label) {
        console.result(fmt::format(
            "{:>7} {:<32} {:>9}", label, content.info().classNames[label], content.counts[label]));
    }
}

} // namespace

void inspectDataset(Console& console, const RunConfig& config, bool isJson)
{
    config.validate();
    Json splits = Json::array();
    std::string layout;
    std::vector<DataAccount> accounts;
    std::vector<std::string> trained;
    for (const Split split : {Split::Train, Split::Test}) {
        const SplitContent content(datasetOf(config), split);
        accounts.push_back(content.info().account);
        if (std::exchange(layout, content.info().layout).empty() && !layout.empty() && !isJson) {
            console.result("layout: " + layout);
        }
        if (isJson) {
            splits.push_back(toJson(content));
        } else {
            print(console, content);
        }
        const auto& names = content.info().classNames;
        if (split == Split::Train) {
            trained = names;
        } else if (const auto odd = checkClassNames(trained, names); !odd.empty()) {
            console.note(odd);
        }
    }
    const std::vector<std::string> account = linesOf(accounts[0], accounts[1]);
    if (isJson) {
        console.result(lineOf(
            {{"dataset", config.dataset},
             {"layout", layout},
             {"account", account},
             {"splits", splits}}));
        return;
    }
    for (const std::string& line : account) {
        console.result(line);
    }
}

} // namespace lockstep::train
