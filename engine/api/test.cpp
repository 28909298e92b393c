// SPDX-License-Identifier: Apache-2.0
#include "api/border.h"
#include "api/brought_dataset.h"
#include "api/event_teller.h"
#include "session/config/version.h"
#include "session/evaluation/evaluate_checkpoint.h"

#include <memory>
#include <utility>

namespace lockstep::api {

std::string version()
{
    return versionText();
}

TestResult test(const TestRequest& request)
{
    return atBorder([&] {
        TestResult result;
        CheckpointEvaluationRequest wanted;
        wanted.checkpoint = request.checkpoint;
        wanted.weights = request.weights == Weights::Raw ? WeightsKind::Raw : WeightsKind::Average;
        wanted.device = request.device;
        if (request.data != nullptr) {
            wanted.bringDataset = [&] {
                return std::make_shared<BroughtDataset>(*request.data, Split::Test);
            };
        }
        const CheckpointEvaluation tested = evaluateCheckpoint(
            wanted, [&](const std::string& note) { result.notes.push_back(note); });
        result.evaluation = evaluationOf(tested.record);
        for (const ClassifiedImage& image : tested.record.classified) {
            result.predictions.push_back({image.label, image.predicted, image.probability});
        }
        result.checkpoint = tested.checkpoint;
        return result;
    });
}

} // namespace lockstep::api
