// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// A named tensor in PyTorch's layout: convolution [out, in, height, width], fully connected
/// [out, in] with the input flattened channel, row, column; row-major.
struct NamedTensor
{
    std::string name; ///< "conv1.weight"
    std::vector<std::int64_t> shape;
    std::vector<float> values; ///< as many as the product of shape

    bool operator==(const NamedTensor&) const = default;
};

/// Everything that a training needs to go on bit for bit: the state after `step` updates.
/// Independent of the number of towers and of the device; what the state was made with is noted.
struct Checkpoint
{
    std::int64_t step = 0;         ///< updates that the weights have seen
    std::int64_t examplesSeen = 0; ///< position in the endless stream of examples
    std::string model;             ///< "cifar10"
    std::string configuration;     ///< the whole configuration as TOML
    /// Key of every random number. They are counted by epoch and example, not drawn one after
    /// another, so key and position are their whole state.
    std::uint64_t seed = 0;
    std::string run;         ///< identity of the run that it is of; see RunStore
    std::int64_t branch = 0; ///< of that run, on which the step before it was made
    int towers = 1;
    int threadsPerTower = 1;
    std::map<std::string, std::string> notes; ///< devices, versions, tuned algorithms, …

    std::vector<NamedTensor> weights;
    std::vector<NamedTensor> movingAverages; ///< none, or of the names and shapes of the weights
    /// Slot ("momentum") -> tensors of the names and shapes of the weights; empty for plain SGD.
    std::map<std::string, std::vector<NamedTensor>> optimizerState;

    bool operator==(const Checkpoint&) const = default;
};

/// Field of the metadata that only checkpoints have.
inline constexpr const char* kCheckpointField = "lockstep_checkpoint";
/// What stands before a weight's name in the name of its moving average.
inline constexpr const char* kAveragePrefix = "moving_average.";
/// Before the key of a note in the metadata.
inline constexpr const char* kNotePrefix = "note.";
/// And before those of the optimizer's slots.
inline constexpr const char* kOptimizerPrefix = "optimizer.";

/// Writes a checkpoint as one safetensors file, complete or not at all. Weights have their plain
/// names, moving averages `moving_average.<name>`, optimizer slots `optimizer.<slot>.<name>`; the
/// rest is metadata. Error(Io) names the file.
void writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);

/// Reads a checkpoint and verifies every checksum. Error(Io) if the file can't be read; Error(Data)
/// if it is damaged or no checkpoint, naming the file and the tensor or field.
Checkpoint readCheckpoint(const std::filesystem::path& path);

/// The branch of its run that a checkpoint is of, from its header alone; 0 where that can't be
/// told: branches are counted from 1. Errors of the file system aside it throws nothing.
std::int64_t branchOfCheckpoint(const std::filesystem::path& path);

/// The weights, or their moving averages. Error(BadInput) if there are none.
const std::vector<NamedTensor>& weightsOf(const Checkpoint& checkpoint, WeightsKind kind);

/// Writes the weights, or their moving averages, under plain names alone: the file loads straight
/// into a torch.nn.Module as its state_dict. Errors as weightsOf().
void exportWeights(
    const Checkpoint& checkpoint, WeightsKind kind, const std::filesystem::path& path);

} // namespace lockstep
