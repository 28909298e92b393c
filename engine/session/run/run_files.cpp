// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_files.h"

#include "dataset/files/sha256.h"
#include "session/run/run_ancestry.h"
#include "session/run/run_facts.h"
#include "storage/store/run_store_reader.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;

RunFiles::RunFiles(RunStart& start, const RunConfig& config, const RunFilesSettings& settings)
    : m_folder(std::move(start.folder)), m_bestBy(bestCheckpointByName(config.checkpointBestBy)),
      m_run(start.run)
{
    const bool isNew = !m_folder.has_value();
    if (isNew) {
        m_folder = settings.folder.empty()
                       ? RunFolder::createDefault(settings.model, toToml(config))
                       : RunFolder::create(settings.folder, toToml(config));
    }
    m_crashPlace.emplace(m_folder->path());
    try {
        RunBranch branch = settings.branch;
        branch.parent = start.parent;
        begin(start, config, branch);
    } catch (...) {
        m_store.reset();
        if (isNew) {
            m_folder->discard();
        }
        throw;
    }
}

void RunFiles::begin(const RunStart& start, const RunConfig& config, const RunBranch& branch)
{
    m_checkpoints.emplace(
        m_folder->checkpoints(),
        CheckpointRetention{config.checkpointKeep, config.checkpointKeepBest});
    m_store.emplace(m_folder->storeFile());
    m_store->startBranch(branch);
    m_store->append(RunValue{kRunIdentityFact, m_run});
    m_store->flush();
    // Killed before the next line, the run is on the line that it was on: a branch without steps or
    // checkpoints of its own is left again by the resume.
    leaveOthers(start, branch.fromStep);
    m_folder->saveConfiguration(toToml(config));
    for (const EvaluationRecord& evaluation : m_past) {
        rate(evaluation);
    }
    if (m_savedStep < 0 && start.state) {
        m_lastCheckpoint = start.state->file.path;
        m_savedStep = start.isSaved ? branch.fromStep : -1;
    }
}

/// Looks at what the store says of the new branch's past, and sets checkpoints of other lines
/// aside. Where the state is not one of the run's own checkpoints it becomes one first, so that
/// there is one at any moment.
void RunFiles::leaveOthers(const RunStart& start, std::int64_t fromStep)
{
    const RunStoreReader store(m_folder->storeFile());
    const std::vector<RunBranchInfo> branches = store.branches();
    const std::int64_t branch = m_store->branch();
    const RunAncestry line(branches, branch);
    // In a store that was begun anew there is none before.
    m_keptSteps = branch == 1
                      ? fromStep
                      : std::min(fromStep, RunAncestry(branches, branch - 1).commonWith(line));
    if (branch == 1 && start.isContinued()) { // which of them is the best nobody knows any more
        for (const CheckpointFile& file : listCheckpoints(m_folder->checkpoints())) {
            setPinned(file.path, true);
        }
    }
    m_past = store.evaluations();
    std::erase_if(m_past, [&](const auto& evaluation) { return evaluation.step > fromStep; });
    // A store that was begun anew knows nothing of the branches of older checkpoints.
    const auto isOther = [&](const CheckpointFile& file) {
        return start.parent && !line.holds(branchOfCheckpoint(file.path), file.step);
    };
    if (start.isContinued() && !start.isSaved) {
        m_checkpoints->setAside(
            [&](const CheckpointFile& file) { return file.step == fromStep && isOther(file); });
        m_lastCheckpoint = m_checkpoints->add(identified(start.state->checkpoint));
        recordSaved(fromStep, "start");
    }
    m_checkpoints->setAside(
        [&](const CheckpointFile& file) { return file.step > fromStep || isOther(file); });
}

Checkpoint RunFiles::identified(Checkpoint checkpoint) const
{
    checkpoint.run = m_run;
    checkpoint.branch = m_store->branch();
    return checkpoint;
}

void RunFiles::rate(const EvaluationRecord& evaluation)
{
    const double score = m_bestBy.scoreOf(evaluation);
    if (m_checkpoints->rate(evaluation.step, score)) {
        m_bestStep = evaluation.step;
    }
    if (std::isnan(score) || evaluation.step == std::exchange(m_ratedStep, evaluation.step)) {
        return; // of the weights that the rule does not ask for, or of a state that has been rated
    }
    if (m_topStep < 0 || score > m_topScore) {
        m_topScore = score;
        m_topStep = evaluation.step;
        m_sinceTop = 0;
    } else {
        ++m_sinceTop;
    }
}

void RunFiles::append(const EvaluationRecord& evaluation)
{
    rate(evaluation);
    m_store->append(evaluation);
}

const fs::path& RunFiles::save(Checkpoint checkpoint, const std::string& reason)
{
    const std::int64_t step = checkpoint.step;
    m_store->flush();
    m_lastCheckpoint = m_checkpoints->save(identified(std::move(checkpoint)));
    recordSaved(step, reason);
    return m_lastCheckpoint;
}

const fs::path& RunFiles::keep(const Checkpoint& checkpoint)
{
    std::error_code ignored;
    if (m_savedStep != checkpoint.step || !fs::exists(m_lastCheckpoint, ignored)) {
        save(checkpoint, "change");
    }
    setPinned(m_lastCheckpoint, true);
    return m_lastCheckpoint;
}

void RunFiles::saveConfiguration(const RunConfig& config)
{
    const std::string text = toToml(config);
    m_folder->saveConfiguration(text);
    m_store->append(RunValue{kConfigurationFact, text});
}

void RunFiles::recordSaved(std::int64_t step, const std::string& reason)
{
    m_savedStep = step;
    std::error_code ignored;
    RunCheckpoint fact;
    fact.step = step;
    fact.file = fs::relative(m_lastCheckpoint, folder(), ignored).string();
    fact.bytes = static_cast<std::int64_t>(fs::file_size(m_lastCheckpoint, ignored));
    fact.checksum = sha256OfFile(m_lastCheckpoint, [](std::int64_t) {});
    fact.reason = reason;
    m_store->append(fact);
}

void RunFiles::saveAs(Checkpoint checkpoint, const fs::path& file) const
{
    writeCheckpoint(identified(std::move(checkpoint)), file);
}

std::uintmax_t RunFiles::probe(const Checkpoint& checkpoint) const
{
    return m_checkpoints->probe(identified(checkpoint));
}

} // namespace lockstep
