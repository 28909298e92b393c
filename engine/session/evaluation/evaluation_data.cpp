// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/evaluation_data.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/data_identity.h"
#include "dataset/examples/relabelled_dataset.h"
#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr const char* kAll = "all";
constexpr const char* kTrain = "train";

/// What was opened, and what to say of it.
struct Scored
{
    std::vector<std::shared_ptr<const Dataset>> parts;
    std::string note;
};

std::shared_ptr<const Dataset> open(const DatasetRequest& request, Split split)
{
    return openDataset(request, split);
}

/// All examples, whatever they are for.
Scored openAll(DatasetRequest request)
{
    if (describeDataset(request.name).hasFolds) {
        request.masked.fold = MaskedDataSettings::kNoFold;
        return {{open(request, Split::Test)}, {}};
    }
    return {{open(request, Split::Train), open(request, Split::Test)}, {}};
}

Scored openTests(const EvaluationChoice& choice, const CheckpointNotes& notes)
{
    const DatasetRequest request = datasetOf(choice.config);
    const auto tests = open(request, Split::Test);
    const auto wasTested = wasTestedOn(notes, identityOf(*tests));
    const bool isOwn = wasTested.value_or(choice.isPlaceOfTraining);
    if (isOwn || (!tests->info().isDrawn && !choice.isPlaceOfTraining)) {
        return {{tests}, {}};
    }
    if (choice.isPlaceOfTraining && choice.split.empty()) {
        return {
            {tests},
            tests->info().isDrawn
                ? "the images have changed since the training, so that others are drawn for the "
                  "test: some that it trained on may be among them now"
                : "the test images are not those of the training any more"};
    }
    if (!choice.split.empty() && !choice.isPlaceOfTraining) {
        fail(
            ErrorCode::BadInput,
            "the data set no images apart for {}: leave --split out, or give all", choice.split);
    }
    if (!choice.split.empty()) {
        return {{tests}, {}};
    }
    Scored all = openAll(request);
    all.note = "all images of the data are scored, as none of them are set apart for a test";
    return all;
}

Scored openScored(const EvaluationChoice& choice, const CheckpointNotes& notes)
{
    if (choice.brought) {
        return {{choice.brought}, {}};
    }
    const char* const trained =
        choice.isPlaceOfTraining ? "images that were trained on are among those scored" : "";
    if (choice.split == kAll) {
        Scored all = openAll(datasetOf(choice.config));
        all.note = trained;
        return all;
    }
    if (choice.split == kTrain) {
        return {{open(datasetOf(choice.config), Split::Train)}, trained};
    }
    return openTests(choice, notes);
}

} // namespace

std::shared_ptr<const Dataset> openEvaluationData(
    const EvaluationChoice& choice, const CheckpointNotes& notes,
    const std::function<void(const std::string&)>& onNote)
{
    const auto tell = [&](const std::string& text) {
        if (onNote && !text.empty()) {
            onNote(text);
        }
    };
    if (std::ranges::find(kScoredSplits, choice.split) == kScoredSplits.end()) {
        fail(
            ErrorCode::BadInput, "--split is '{}', but must be one of {}", choice.split,
            fmt::join(kScoredSplits.begin() + 1, kScoredSplits.end(), ", "));
    }
    Scored scored = openScored(choice, notes);
    tell(scored.note);
    for (const auto& part : scored.parts) {
        for (const std::string& line : part->info().account.lines()) {
            tell("data: " + line);
        }
    }
    bool isByNumber = false;
    const auto known = classNamesFrom(notes);
    auto dataset = relabelled(std::move(scored.parts), known, isByNumber);
    if (isByNumber) {
        tell(
            known.empty() ? "the checkpoint does not name its classes: labels go by their number"
                          : "labels go by their number, as one side does not name its classes");
    }
    return dataset;
}

} // namespace lockstep
