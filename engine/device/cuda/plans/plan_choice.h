// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "device/algorithm_store.h"
#include "device/cuda/plans/plan_timer.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_context.h"
#include "device/planning.h"
#include "device/precision.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// How one of several plans for the same work is chosen, and found again.
namespace lockstep::cuda {

/// One way to do the work that is to be planned.
struct PlanCandidate
{
    std::string name;
    PlanTimer::Work work;
};

/// The work, the ways to do it, and what tells a wrong result.
struct PlanTask
{
    std::string what;                           ///< of what library, for whom: for messages
    std::vector<PlanCandidate> candidates = {}; ///< the library's first suggestions first
    /// The plainest of them: what it computes is held for right. There is no vote: candidates of
    /// one library may share a fault.
    std::size_t reference = 0;
    TrialMemory* result = nullptr; ///< where all write
    bool adds = false;             ///< to what is there
    DataType resultType = DataType::Float32;
    TrialMemory* sums = nullptr; ///< float32 that they write besides; null: nothing
    Precision precision = Precision::Float32;
    /// Where a network that has diverged must show: makes the first operand a NaN, which has to
    /// come through to the first result, and (false) mends it. Empty: is not looked at.
    std::function<void(bool isNan)> spoilOperand = {};
};

struct PlanChoice
{
    std::size_t number = 0;
    double milliseconds = 0.0;
};

/// Tries all candidates: those that fail, hide a NaN or compute something else than the reference
/// are left out, with a note; of the others the fastest is chosen, or an earlier one that is hardly
/// slower. LOCKSTEP_PLAN_LOG=FILE gets a line before each one runs: after a crash the last line
/// names the culprit. Error(Cancelled) if Planning::mayGoOn says no; Error(Device) with the reasons
/// if none works, or if one has left the GPU unusable.
PlanChoice choosePlan(CudaContext& context, const PlanTask& task, Planning& planning);

/// What was chosen, and what it takes; 0 if it was not measured.
template<class Plan>
struct MeasuredPlan
{
    std::shared_ptr<const Plan> plan;
    double milliseconds = 0.0;
};

/// The most memory that any of the candidates works in.
template<class Candidates>
std::size_t mostWorkspaceBytes(const Candidates& candidates)
{
    std::size_t most = 0;
    for (const auto& candidate : candidates) {
        most = std::max(most, candidate->workspaceBytes());
    }
    return most;
}

/// What choosePlan chooses of these, all of which work on `buffers`; `task` says the rest.
template<class Plan, class Candidates, class Buffers>
MeasuredPlan<Plan> measure(
    CudaContext& context, PlanTask task, const Candidates& candidates, const Buffers& buffers,
    Planning& planning)
{
    for (const auto& candidate : candidates) {
        task.candidates.push_back(
            {candidate->describe(), [&](cudaStream_t stream) { candidate->run(stream, buffers); }});
    }
    const PlanChoice choice = choosePlan(context, task, planning);
    return {candidates.at(choice.number), choice.milliseconds};
}

/// The plan for `spec`: one that this context has already; else by spec.algorithm, or by the store,
/// where findAgain(text) does not return null; else choose(isFirst), which measures unless it is to
/// take the first suggestion.
template<class Plan, class Spec, class FindAgain, class Choose>
std::shared_ptr<const Plan> planOnce(
    CudaContext& context, std::map<std::string, std::shared_ptr<const Plan>>& known,
    const Spec& spec, Planning& planning, FindAgain findAgain, Choose choose)
{
    const std::scoped_lock lock(context.planning);
    checkCuda(cudaSetDevice(context.device), "choosing the GPU to plan for");
    const std::string work = toString(spec);
    const auto keyOf = [&](const std::string& algorithm) { return work + '|' + algorithm; };
    if (const auto found = known.find(keyOf(spec.algorithm)); found != known.end()) {
        return found->second;
    }
    if (planning.mayGoOn && !planning.mayGoOn()) {
        fail(ErrorCode::Cancelled, "stopped while {} was planned", work);
    }
    const Stopwatch watch;
    const bool isFirst = spec.algorithm == kFirstAlgorithm;
    std::shared_ptr<const Plan> plan;
    if (!spec.algorithm.empty() && !isFirst) {
        plan = findAgain(spec.algorithm);
    }
    AlgorithmStore* store = isFirst ? nullptr : context.store.get();
    if (const std::string stored = store == nullptr || plan ? "" : store->find(work);
        !stored.empty()) {
        plan = findAgain(stored);
        planning.choices.stored += plan ? 1 : 0;
    }
    if (!plan) {
        const MeasuredPlan<Plan> chosen = choose(isFirst);
        plan = chosen.plan;
        planning.choices.measured += isFirst ? 0 : 1;
        if (store != nullptr) {
            store->keep(work, plan->describe(), chosen.milliseconds);
        }
    }
    planning.choices.seconds += watch.seconds();
    if (store != nullptr) {
        planning.choices.add({.notes = store->takeNotes()});
    }
    known[keyOf(spec.algorithm)] = plan;
    known[keyOf(plan->describe())] = plan; // as the other towers ask for it
    return plan;
}

} // namespace lockstep::cuda
