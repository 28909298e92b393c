// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/ordered_all_reduce.h"
#include "averaging/rank_all_reduce.h"
#include "base/clock.h"
#include "input/input_pipeline.h"
#include "session/step/gradient_meter.h"
#include "session/step/stepper.h"
#include "update/optimizer.h"

#include <memory>
#include <optional>

namespace lockstep {

/// Steps on the processors of the host. Every call does its work before it returns.
class HostStepper final : public Stepper
{
public:
    explicit HostStepper(const StepperSettings& settings);

    void start(std::int64_t step, std::int64_t examplesSeen) override;
    StepOutcome& next(std::int64_t limit) override;
    [[nodiscard]] const ParameterArena& arena() const override { return m_arena; }
    void setMasksWanted(bool areWanted) override;
    void parametersChanged() override;
    [[nodiscard]] const float* averagedGradient() const override { return m_arena.gradient(); }
    [[nodiscard]] ThreadTeam& threads() const override { return m_team.threads(); }
    [[nodiscard]] std::vector<OpReport> report() const override;
    [[nodiscard]] std::string placeOf(int tower) const override;
    [[nodiscard]] std::string describe() const override;
    void timeNodes() override { m_team.timeNodes(); }
    [[nodiscard]] std::vector<NodeSeconds> nodeSeconds() const override
    {
        return m_team.nodeSeconds();
    }
    [[nodiscard]] double inputWorkSeconds() const override { return m_pipeline->workSeconds(); }
    [[nodiscard]] std::size_t bytesOf(int tower) const override;

private:
    // The parts of a step.
    template<class Executor>
    friend void makeStep(Executor& executor);
    template<class Executor>
    friend void makePiece(Executor& executor, std::size_t piece);
    [[nodiscard]] static std::size_t pieces() { return 1; }
    [[nodiscard]] static std::size_t buckets() { return 1; }
    template<class Work>
    void run(std::size_t /*piece*/, const Work& work)
    {
        work();
    }
    void takeRows();
    void passes(std::size_t bucket);
    void average(std::size_t bucket);
    void sumOverDevices(std::size_t /*piece*/) {}
    void checkLosses();
    void checkGradient();
    void update();
    void record();
    void giveRowsBack();
    void joinRanks();
    [[nodiscard]] int firstTowerNotFinite(std::size_t parameter) const;
    [[nodiscard]] MaskRecord masks() const;

    const HostDevice& m_device;
    ParameterArena m_arena;
    TowerTeam m_team;
    OrderedAllReduce m_allReduce;
    std::unique_ptr<RankAllReduce> m_rankAllReduce; ///< null: this process has all towers
    Optimizer m_optimizer;
    std::optional<GradientMeter> m_meter; ///< none: nothing is measured
    std::unique_ptr<InputPipeline> m_pipeline;
    bool m_areMasksWanted = false;
    // Of the step that is being made.
    BatchLease m_input; ///< after the pipeline: it must be given back first
    Stopwatch m_phase;
    double m_batchSeconds = 0.0; ///< when its rows were there, see RankMoment
    int m_badParameter = -1;
    StepOutcome m_outcome;
};

} // namespace lockstep
