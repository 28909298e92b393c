// SPDX-License-Identifier: Apache-2.0
#include "session/run/rank_worker.h"

#include "dataset/files/sha256.h"
#include "ranks/rank_table.h"
#include "session/config/run_data.h"
#include "session/config/version.h"
#include "session/step/image_scoring.h"

#include <fmt/core.h>

namespace lockstep {

void checkRanks(Ranks& ranks, const RunConfig& given)
{
    const std::string program = sha256OfFile("/proc/self/exe", [](std::int64_t /*bytes*/) {});
    checkAlike(
        ranks, fmt::format(
                   "version = {} ({})\nprogram = {}\n{}", versionText(), revisionText(), program,
                   toToml(given)));
}

RunConfig configOfFirst(Ranks& ranks, const RunConfig& config)
{
    RunConfig first;
    parseConfig(first, textFromFirst(ranks, toToml(config)), "the configuration of rank 0");
    return first;
}

RankWorker::RankWorker(Ranks& ranks)
    : m_ranks(ranks), m_config(configOfFirst(ranks, RunConfig())),
      m_training(openDataset(datasetOf(m_config), Split::Train)),
      m_test(openDataset(datasetOf(m_config), Split::Test)),
      m_session(m_config, *m_training, {}, &ranks),
      m_evaluation(
          m_session.plan().devices.first(), m_session.plan().network,
          m_session.stepper().arena().layout(), *m_test,
          distortionFor(m_config, m_session.plan().network))
{
    m_evaluation.computeAs(
        precisionByName(m_config.precision), m_session.plan().config.layerAlgorithms());
    m_evaluation.shareAmong(ranks);
    for (const auto* const dataset : {m_training->encoded(), m_test->encoded()}) {
        if (dataset != nullptr) {
            dataset->patience().set({m_config.encoded.patienceSeconds, {}, {}});
        }
    }
}

void RankWorker::run()
{
    if (m_config.alerts.stuckSeconds > 0.0) {
        m_ranks.setSilence(m_config.alerts.stuckSeconds);
    }
    for (;;) {
        const RankOrder order = m_session.obey();
        if (order.kind == RankOrder::Kind::End) {
            return;
        }
        if (order.kind == RankOrder::Kind::Evaluate) {
            evaluate(static_cast<WeightsKind>(order.number));
        }
    }
}

void RankWorker::evaluate(WeightsKind kind)
{
    const ParameterArena& arena = m_session.stepper().arena();
    arena.roundOperands();
    ThreadTeam& threads = m_session.stepper().threads();
    static_cast<void>(m_evaluation.run(
        threads, threads.size(),
        kind == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView()));
}

} // namespace lockstep
