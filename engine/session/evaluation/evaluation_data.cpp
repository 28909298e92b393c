// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/evaluation_data.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/data_identity.h"
#include "dataset/examples/encoded_dataset.h"
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

constexpr const char* kTrained = "images that were trained on are among those scored";
constexpr const char* kMayBeTrained =
    "these are not the test images of the training: if it was trained on some of them, the figures "
    "are too good";

/// The test examples, or all where none are set apart, which DatasetInfo::isDrawn says.
std::shared_ptr<const Dataset> openTested(DatasetRequest request)
{
    request.encoded.rules.testShare = SplitRules::kAllTested;
    return open(request, Split::Test);
}

/// All examples, whatever they are for.
Scored openAll(DatasetRequest request)
{
    if (describeDataset(request.name).hasFolds) {
        request.masked.fold = MaskedDataSettings::kNoFold;
        return {{open(request, Split::Test)}, {}};
    }
    Scored all{{openTested(request)}, {}};
    if (all.parts.front()->info().isDrawn) {
        return all;
    }
    all.parts.insert(all.parts.begin(), open(request, Split::Train));
    // Where there are two parts to test on, the other one is held back.
    DataPart& tested = request.encoded.rules.tested;
    tested = tested == DataPart::Test ? DataPart::Validation : DataPart::Test;
    const EncodedDataset* const one = all.parts.back()->encoded();
    auto other = one == nullptr ? nullptr : openTested(request);
    if (other && other->encoded()->fullName(0) != one->fullName(0)) {
        all.parts.push_back(std::move(other));
    }
    return all;
}

/// Whether a test set is that of the training. A checkpoint that does not say what that was says
/// what it was trained on, and a share that is drawn for the test changes with that.
bool isOfTraining(
    const Dataset& tests, const EvaluationChoice& choice, const CheckpointNotes& notes)
{
    if (const auto wasTested = wasTestedOn(notes, identityOf(tests))) {
        return *wasTested;
    }
    return choice.isPlaceOfTraining
           && (!tests.info().isDrawn
               || wasTrainedOn(notes, identityOf(*open(datasetOf(choice.config), Split::Train)))
                      .value_or(true));
}

/// The share that is drawn of other data may be that of the training; they may be too few for one.
std::shared_ptr<const Dataset> openShare(const EvaluationChoice& choice)
{
    try {
        return open(datasetOf(choice.config), Split::Test);
    } catch (const Error&) {
        if (choice.isPlaceOfTraining) {
            throw;
        }
        return openTested(datasetOf(choice.config));
    }
}

Scored openTests(const EvaluationChoice& choice, const CheckpointNotes& notes)
{
    const DatasetRequest request = datasetOf(choice.config);
    const auto tests = openShare(choice);
    const bool isDrawn = tests->info().isDrawn;
    if (isOfTraining(*tests, choice, notes)) {
        return {{tests}, {}};
    }
    if (choice.isPlaceOfTraining && isDrawn) {
        return {
            {tests},
            "the images have changed since the training, so that others are drawn for the test: "
            "some that it trained on may be among them now"};
    }
    if (!isDrawn) {
        const bool wasTrained = wasTrainedOn(notes, identityOf(*tests)).value_or(false);
        return {{tests}, wasTrained ? kTrained : kMayBeTrained};
    }
    if (!choice.split.empty()) {
        fail(
            ErrorCode::BadInput,
            "no images of the data are set apart for {}: leave --split out, or give all",
            choice.split);
    }
    Scored all = openAll(request);
    all.note = "all images of the data are scored, as none are set apart for a test: if some of "
               "them were trained on, the figures are too good";
    return all;
}

Scored openScored(const EvaluationChoice& choice, const CheckpointNotes& notes)
{
    if (choice.brought) {
        return {{choice.brought}, {}};
    }
    const bool isAll = choice.split == kAll;
    if (!isAll && choice.split != kTrain) {
        return openTests(choice, notes);
    }
    const DatasetRequest request = datasetOf(choice.config);
    Scored scored = isAll ? openAll(request) : Scored{{open(request, Split::Train)}, {}};
    const bool wasTrained =
        choice.isPlaceOfTraining
        || wasTrainedOn(notes, identityOf(*scored.parts.front())).value_or(false);
    scored.note = wasTrained ? kTrained : kMayBeTrained;
    return scored;
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
    EvaluationChoice any = choice; // a score is of what can be read, and says so
    any.config.encoded.damaged = kDamagedImagesNames.back();
    Scored scored = openScored(any, notes);
    tell(scored.note);
    for (const auto& part : scored.parts) {
        for (const std::string& line : part->info().account.lines()) {
            tell("data: " + line);
        }
    }
    bool isByNumber = false;
    const auto known = classNamesFrom(notes);
    for (const auto& part : scored.parts) {
        if (known.empty() && !isUnnamed(part->info().classNames, part->info().name)
            && !hadTheClassesOf(notes, identityOf(*part)).value_or(true)) {
            fail(
                ErrorCode::BadInput,
                "the classes of the data, {}, are not those of the training, which the checkpoint "
                "does not name: it can't be told which label means what",
                someOf(part->info().classNames));
        }
    }
    auto dataset = relabelled(std::move(scored.parts), known, isByNumber);
    if (isByNumber) {
        tell(
            known.empty() ? "the checkpoint does not name its classes: labels go by their number"
                          : "labels go by their number, as one side does not name its classes");
    }
    return dataset;
}

} // namespace lockstep
