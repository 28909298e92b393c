// SPDX-License-Identifier: Apache-2.0
#include "train_reporter.h"

#include "console.h"
#include "engine/config.h"
#include "engine/records.h"
#include "format/console_format.h"
#include "format/json_format.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <chrono>

namespace lockstep::train {
namespace {

constexpr std::int64_t kClassicEverySteps = 10;

class TextReporter final : public TrainReporter
{
public:
    void onEvaluation(const EvaluationRecord& record) override
    {
        m_console.result(evaluationLine(record));
    }
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override
    {
        m_console.note(fmt::format("checkpoint of step {}: {}", step, file.string()));
    }
    void onPreflight(const PreflightRecord& record) override
    {
        m_console.note(preflightLine(record));
    }
    void onState(RunState state) override
    {
        if (state == RunState::Paused) {
            m_console.note(
                fmt::format("paused; go on with: lockstep-train control '{}' resume", m_folder));
        }
    }
    void onNote(NoteLevel /*level*/, const std::string& text) override { m_console.note(text); }
    void onAlert(const AlertRecord& alert) override
    {
        if (alert.kind != AlertKind::NotFinite) { // which ends the run: said as its error
            m_console.note((alert.isOver ? "alert over: " : "alert: ") + alert.text);
        }
    }
    void onConfig(const RunConfig& config) override { m_steps = config.steps; }

    void begin(const TrainingRun& run) override
    {
        m_steps = run.config().steps;
        m_folder = run.folder().string();
        m_console.note("run folder: " + run.folder().string());
    }

    void onStep(const StepRecord& record) override
    {
        if (record.step % kClassicEverySteps == 0) {
            m_console.result(classicLine(std::chrono::system_clock::now(), record));
        }
        if (m_console.hasProgress()) {
            std::int64_t examples = 0;
            for (const TowerRecord& tower : record.towers) {
                examples += tower.examples;
            }
            m_throughput.add(examples, record.stepSeconds);
            m_console.progress(
                progressLine(record, m_steps, m_throughput.secondsFor(m_steps - record.step - 1)));
        }
    }

    void end(const TrainingRun& run) override
    {
        if (run.state() == RunState::Finished) {
            m_console.result(fmt::format(
                "finished after {} steps; checkpoint {}", run.session().progress().step,
                run.lastCheckpoint().string()));
        }
    }

private:
    Console m_console;
    Throughput m_throughput;
    std::string m_folder;
    std::int64_t m_steps = 0;
};

class JsonReporter final : public TrainReporter
{
public:
    void onEvaluation(const EvaluationRecord& record) override
    {
        write("evaluation", toJson(record, m_objectives));
    }
    void onGradients(const GradientRecord& record) override
    {
        m_noiseScale.add(record);
        write("gradients", toJson(record, m_noiseScale));
    }
    void onDeviceReading(const DeviceReadingRecord& record) override
    {
        write("device_reading", toJson(record));
    }
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override
    {
        write("checkpoint", {{"step", step}, {"file", file.string()}});
    }
    void onPreflight(const PreflightRecord& record) override { write("preflight", toJson(record)); }
    void onInitialWeights(const InitialWeights& initial) override
    {
        write("initial_weights", toJson(initial));
    }
    void onState(RunState state) override
    {
        if (state == RunState::Paused) {
            write("paused", Json::object());
        } else if (state == RunState::Running && m_isPaused) {
            write("resumed", Json::object());
        }
        m_isPaused = state == RunState::Paused;
    }
    void onNote(NoteLevel level, const std::string& text) override
    {
        write("note", {{"level", toString(level)}, {"text", text}});
    }
    void onAlert(const AlertRecord& alert) override { write("alert", toJson(alert)); }
    void onConfig(const RunConfig& config) override
    {
        write("changed", {{"configuration", toJson(config)}});
    }

    void begin(const TrainingRun& run) override
    {
        m_objectives = objectiveNames(run.session().plan().network);
        write(
            "started", {{"step", run.session().progress().step},
                        {"run", run.folder().string()},
                        {"configuration", toJson(run.config())}});
    }
    void onStep(const StepRecord& record) override { write("step", toJson(record, m_objectives)); }

    void end(const TrainingRun& run) override
    {
        write(
            run.state() == RunState::Finished ? "finished" : "stopped",
            {{"step", run.session().progress().step},
             {"checkpoint", run.lastCheckpoint().string()},
             {"run", run.folder().string()}});
    }

private:
    void write(const char* event, const Json& values)
    {
        Json line{{"event", event}};
        line.update(values);
        m_console.result(lineOf(line));
    }

    Console m_console;
    std::vector<std::string> m_objectives;
    GradientNoiseScale m_noiseScale;
    bool m_isPaused = false;
};

} // namespace

std::unique_ptr<TrainReporter> makeTextReporter()
{
    return std::make_unique<TextReporter>();
}

std::unique_ptr<TrainReporter> makeJsonReporter()
{
    return std::make_unique<JsonReporter>();
}

} // namespace lockstep::train
