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
    void onEvent(const TrainingEvent& event) override
    {
        std::visit([this](const auto& told) { on(told); }, event);
    }
    void begin(const TrainingRun& run) override
    {
        m_config = run.config();
        m_folder = run.folder().string();
        m_console.note("run folder: " + run.folder().string());
    }
    void end(const TrainingRun& run) override
    {
        if (const RunVerdicts* const verdicts = run.verdicts()) {
            for (const std::string& line :
                 verdictLines(verdicts->learning(), verdicts->data(), verdicts->pace())) {
                m_console.note(line);
            }
        }
        if (run.state() == RunState::Finished) {
            m_console.tell(fmt::format(
                "finished after {} steps; checkpoint {}", run.session().progress().step,
                run.lastCheckpoint().string()));
        }
    }

private:
    void on(const EvaluationRecord& record)
    {
        m_evaluationSeconds = record.seconds;
        m_console.tell(evaluationLine(record));
    }
    void on(const WrittenCheckpoint& checkpoint)
    {
        m_console.note(
            fmt::format("checkpoint of step {}: {}", checkpoint.step, checkpoint.file.string()));
    }
    void on(const PreflightRecord& record) { m_console.note(preflightLine(record)); }
    void on(RunState state)
    {
        if (state == RunState::Paused) {
            m_console.note(
                fmt::format("paused; go on with: lockstep-train control '{}' resume", m_folder));
        }
    }
    void on(const Note& note) { m_console.note(note.text); }
    void on(const AlertRecord& alert)
    {
        if (alert.kind != AlertKind::NotFinite) { // which ends the run: said as its error
            m_console.note((alert.isOver ? "alert over: " : "alert: ") + alert.text);
        }
    }
    void on(const RunConfig& config) { m_config = config; }
    void on(const StepRecord& record)
    {
        if (record.step % kClassicEverySteps == 0) {
            m_console.tell(classicLine(std::chrono::system_clock::now(), record));
        }
        if (m_console.hasProgress()) {
            m_throughput.add(record);
            m_console.progress(progressLine(record, m_config, m_throughput, m_evaluationSeconds));
        }
    }
    void on(const auto& /*others*/) {}

    Console m_console;
    Throughput m_throughput;
    std::string m_folder;
    RunConfig m_config;
    double m_evaluationSeconds = 0.0; ///< of the latest, with one kind of weights
};

class JsonReporter final : public TrainReporter
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        std::visit([this](const auto& told) { on(told); }, event);
    }
    void begin(const TrainingRun& run) override
    {
        m_objectives = objectiveNames(run.session().plan().network);
        write(
            "started", {{"step", run.session().progress().step},
                        {"run", run.folder().string()},
                        {"configuration", toJson(run.config())}});
    }
    void end(const TrainingRun& run) override
    {
        write(
            run.state() == RunState::Finished ? "finished" : "stopped",
            {{"step", run.session().progress().step},
             {"checkpoint", run.lastCheckpoint().string()},
             {"run", run.folder().string()}});
    }

private:
    void on(const EvaluationRecord& record) { write("evaluation", toJson(record, m_objectives)); }
    void on(const GradientRecord& record)
    {
        m_noiseScale.add(record);
        write("gradients", toJson(record, m_noiseScale));
    }
    void on(const DeviceReadingRecord& record) { write("device_reading", toJson(record)); }
    void on(const WrittenCheckpoint& checkpoint)
    {
        write("checkpoint", {{"step", checkpoint.step}, {"file", checkpoint.file.string()}});
    }
    void on(const PreflightRecord& record) { write("preflight", toJson(record)); }
    void on(const InitialWeights& initial) { write("initial_weights", toJson(initial)); }
    void on(RunState state)
    {
        if (state == RunState::Paused) {
            write("paused", Json::object());
        } else if (state == RunState::Running && m_isPaused) {
            write("resumed", Json::object());
        }
        m_isPaused = state == RunState::Paused;
    }
    void on(const Note& note)
    {
        write("note", {{"level", toString(note.level)}, {"text", note.text}});
    }
    void on(const AlertRecord& alert) { write("alert", toJson(alert)); }
    void on(const RunConfig& config) { write("changed", {{"configuration", toJson(config)}}); }
    void on(const StepRecord& record) { write("step", toJson(record, m_objectives)); }
    void on(const auto& /*others*/) {}

    void write(const char* event, const Json& values)
    {
        Json line{{"event", event}};
        line.update(values);
        m_console.tell(lineOf(line));
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
