// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// Lockstep as a library: trains a network in N synchronous towers, on a data set of the program's
/// own if it brings one, and tests it. Two functions, train() and test(), and what they take and
/// give.
///
/// Nothing of it is stable yet: before 1.0 each minor version may change what is called how, and
/// what it looks like in memory (liblockstep.so.0.9 and .0.10 are two libraries). Build your
/// program with the compiler and the standard library that the library was built with.
namespace lockstep::api {

/// What kind of thing went wrong.
enum class ErrorCode {
    BadInput,    ///< a setting or argument that can't be used as given
    Data,        ///< examples or a file that are not what they should be
    Io,          ///< the file system or the network refused
    Device,      ///< a device is missing or failed
    OutOfMemory, ///< memory that was asked for is not there
    Numeric,     ///< a loss or gradient is not finite
    Cancelled,   ///< asked to stop before there was anything to keep
    Internal,    ///< a defect of Lockstep's
};

/// All that the functions of this header throw, except for what an Observer throws. The text is
/// one line for a person: it names what is wrong and says what to do.
class Error : public std::runtime_error
{
public:
    Error(ErrorCode code, const std::string& text) : std::runtime_error(text), m_code(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return m_code; }

private:
    ErrorCode m_code;
};

/// "0.9.0".
std::string version();

/// In pixels. Grey pictures have 1 channel, coloured ones 3.
struct ImageShape
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
};

/// How the bytes of a picture are ordered.
enum class PixelOrder {
    Planar,      ///< channel, row, column
    Interleaved, ///< row, column, channel
};

/// A data set of the program's own: pictures of one size and what they show, by number. train()
/// and test() ask for each example once, one after the other, on the thread that calls them, and
/// keep the pictures in memory until they return: a byte a value. Everything else is then done with
/// these, so that what makes an example may be slow, and need not be thread-safe.
class Dataset
{
public:
    Dataset() = default;
    virtual ~Dataset() = default;
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;

    /// "rings": run.toml and the window call it "program:rings". A run goes on only with data of
    /// the same name.
    [[nodiscard]] virtual std::string name() const = 0;
    /// At least what the network reads, and with as many channels: larger pictures are cropped.
    [[nodiscard]] virtual ImageShape imageShape() const = 0;
    [[nodiscard]] virtual PixelOrder pixelOrder() const { return PixelOrder::Interleaved; }
    /// Class i is called classNames()[i]. No more than the network tells apart.
    [[nodiscard]] virtual std::vector<std::string> classNames() const = 0;
    /// Number of examples.
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// Writes the picture of example `index`, 0 <= index < size(), to `pixels`, which are
    /// height x width x channels zeros, and returns its class. What it throws becomes an
    /// Error(Data) that names the example.
    [[nodiscard]] virtual int example(std::int64_t index, std::span<std::uint8_t> pixels) const = 0;
};

/// What one tower did in one step.
struct Tower
{
    double loss = 0.0;         ///< mean over the tower's batch, before the update
    std::int64_t correct = 0;  ///< examples classified correctly; negative: not known
    std::int64_t examples = 0; ///< of the tower's batch
    // Negative: the device does not tell.
    double forwardSeconds = -1.0;
    double backwardSeconds = -1.0;
    double waitingSeconds = -1.0; ///< at the barrier, for the towers that came later
};

/// One synchronous step: the gradient of each tower, their mean, one update.
struct Step
{
    std::int64_t step = 0;     ///< from 0: step k is update k + 1
    std::int64_t examples = 0; ///< seen after it, over the whole run
    double epoch = 0.0;        ///< examples / size of the training set
    double learningRate = 0.0;
    double lossMean = 0.0; ///< over the towers
    double lossLast = 0.0; ///< of the last tower alone, as classic scripts print it
    double stepSeconds = 0.0;
    double examplesPerSecond = 0.0;
    std::vector<Tower> towers;
};

/// Which weights are meant: those that training updates, or their moving averages.
enum class Weights { Raw, Average };

/// The result of one pass over all examples of a test set.
struct Evaluation
{
    std::int64_t step = 0; ///< updates that the weights had seen
    Weights weights = Weights::Average;
    std::int64_t examples = 0;
    std::int64_t correct = 0; ///< classified correctly
    double accuracy = 0.0;    ///< correct / examples
    double loss = 0.0;        ///< mean over the examples
};

/// One line for people: what the run is about, a fallback that was taken, an alert.
struct Note
{
    enum class Level { Info, Warning, Error };
    Level level = Level::Info;
    std::string text;
};

/// Is told what happens in a training; one call at a time, on the thread that called train(), but
/// for notes of a step that hangs or a disk that fills, which come from another one. The next step
/// waits for it. What it throws stops the training, which keeps a checkpoint, and comes out of
/// train() as it is.
class Observer
{
public:
    Observer() = default;
    virtual ~Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    virtual void onStep(const Step& /*step*/) {}
    virtual void onEvaluation(const Evaluation& /*evaluation*/) {}
    /// The state after `step` updates is in `file`.
    virtual void onCheckpoint(std::int64_t /*step*/, const std::filesystem::path& /*file*/) {}
    virtual void onNote(const Note& /*note*/) {}
};

/// Keys and values, as behind `lockstep-train train --set KEY=VALUE`: {{"towers", "4"},
/// {"learning_rate.initial", "0.1"}}. `lockstep-train train --help` lists all of them. Taken in
/// their order.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What to train, and where.
struct TrainingRequest
{
    /// The folder of the run: configuration, every step, checkpoints. The window and
    /// lockstep-train follow it while it trains. Empty: a new one in the default place.
    std::filesystem::path folder;
    /// The text of a model file, as resources/models/small.toml explains it; it is kept in the
    /// folder. Empty: the setting model.name names a built-in network or such a file.
    std::string network = {};
    Settings settings = {};
    /// Both, or neither: then the setting dataset.name names one of Lockstep's.
    const Dataset* training = nullptr;
    const Dataset* test = nullptr;
    /// Goes on with the run in `folder`, if there is one, from its newest good checkpoint and
    /// under its own settings, except for those above. Else a folder with a run is refused.
    bool isResume = false;
    /// Stops at the end of a step, with a checkpoint. A request may come from any thread, and from
    /// the observer.
    std::stop_token stop = {};
};

/// What came of it.
struct TrainingResult
{
    std::filesystem::path folder;
    std::filesystem::path checkpoint; ///< the newest one
    std::int64_t steps = 0;           ///< updates that were made in all
    bool isFinished = false;          ///< or else it was stopped
};

/// Trains. Error(BadInput) and Error(Data) name the setting, the layer or the example that is
/// wrong; a run that can't start leaves no folder. Error(Cancelled) if it was stopped before there
/// was a run; Error(Numeric) for a loss that is not finite. Several trainings may go on at once,
/// each in a thread of its own.
TrainingResult train(const TrainingRequest& request, Observer& observer);

inline TrainingResult train(const TrainingRequest& request)
{
    Observer silent;
    return train(request, silent);
}

/// What to test, and on what.
struct TestRequest
{
    std::filesystem::path checkpoint; ///< a file, or a run, of which the newest good one is taken
    const Dataset* data = nullptr;    ///< null: the test examples of the run, one of Lockstep's
    Weights weights = Weights::Average;
    std::string device = "auto"; ///< as the setting
};

/// What a network makes of one example.
struct Prediction
{
    int label = 0;                                                 ///< as the data set says
    int predicted = -1;                                            ///< class; -1: there is none
    double probability = std::numeric_limits<double>::quiet_NaN(); ///< of that class
};

/// What came of it.
struct TestResult
{
    Evaluation evaluation;
    /// Of networks that classify: of every example, in the order of the data set.
    std::vector<Prediction> predictions;
    std::filesystem::path checkpoint; ///< the file that was read
    std::vector<std::string> notes;   ///< say damaged checkpoints that were skipped
};

/// Tests the network of a checkpoint. Errors as train().
TestResult test(const TestRequest& request);

} // namespace lockstep::api
