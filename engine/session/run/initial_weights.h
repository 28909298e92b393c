// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "network/network_spec.h"
#include "session/config/run_config.h"
#include "storage/checkpoint/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

/// How a parameter of a network begins that takes over weights of another training.
enum class InitialTensorKind {
    Taken,      ///< as it is there
    OtherShape, ///< at its own initial values: there it has another shape
    Missing,    ///< likewise: there is none of its name, or only one of a type that is not read
    Fresh,      ///< likewise: its layer is one of initial_weights.fresh_layers
};

/// One parameter of such a network.
struct InitialTensor
{
    std::string name; ///< "conv1.weight"
    std::vector<std::int64_t> shape;
    InitialTensorKind kind = InitialTensorKind::Taken;
    std::string nameThere = {};                ///< of what is there, without the average's prefix
    std::vector<std::int64_t> shapeThere = {}; ///< of Taken and OtherShape

    [[nodiscard]] bool isTaken() const { return kind == InitialTensorKind::Taken; }
    /// Why it begins anew: "shape 10x192 here, 1000x192 there"; empty if it is taken.
    [[nodiscard]] std::string reason() const;
};

/// What a network takes over from a file, by name and shape, and what not. A plain value.
struct InitialWeights
{
    std::filesystem::path file;
    std::string model;                      ///< of the checkpoint; empty: the file is none
    std::string run;                        ///< identity of the run that the checkpoint is of
    std::int64_t step = 0;                  ///< updates that its weights have seen
    WeightsKind weights = WeightsKind::Raw; ///< which ones of the file
    std::string prefix; ///< that all names have there, as wrappers leave it: "module."
    std::vector<InitialTensor> tensors;  ///< in the order of the network's parameters
    std::vector<std::string> unused;     ///< of the file, that the network has no parameter for
    std::vector<std::string> classNames; ///< of the checkpoint; empty: unknown
    /// What weights of others want to be shown, in a sentence; empty: of a checkpoint, or unknown.
    std::string pictures;

    [[nodiscard]] std::size_t taken() const;
    /// Less than half of the tensors are taken: perhaps another network was meant.
    [[nodiscard]] bool isLittle() const;

    /// A sentence on outputs of `network` that are taken over although they mean other classes than
    /// these; empty where none are.
    [[nodiscard]] std::string otherClasses(
        const NetworkSpec& network, const std::vector<std::string>& classes) const;

    /// "8 of 10 tensors of FILE (cifar10, step 1000, moving averages), 2 begin anew".
    [[nodiscard]] std::string summary() const;
    /// A line for each tensor that begins anew, one for those that are not used, and `pictures`.
    [[nodiscard]] std::vector<std::string> leftLines() const;
    /// The summary, then a line for every tensor, then the unused ones.
    [[nodiscard]] std::string text() const;
};

/// The file that a configuration means; of a run or folder of checkpoints the newest good one,
/// where damaged ones that are skipped are told to `onSkipped`. Error(BadInput) names the key if
/// nothing is there.
std::filesystem::path initialWeightsFile(
    const InitialWeightsConfig& config,
    const std::function<void(const std::string&)>& onSkipped = {});

/// Whether `file` is one that initialWeightsFile() may have found in the run or folder of
/// checkpoints `folder`, both absolute. The paths alone say it: nothing need be there any more.
bool isFoundIn(const std::filesystem::path& file, const std::filesystem::path& folder);

/// What the network takes over from `file`, whose header alone is read: tensors that are called as
/// here, or as torchvision calls them (see stateTensor()), without what wrappers of a layer add
/// anywhere ("module."), all behind one prefix if at least half of them fit so and more than
/// without. Of several prefixes with as many, the one with "ema" is taken where averages are asked
/// for, else one without. Error(BadInput) if nothing fits, if the weights are there twice and
/// nothing says which are meant, if the file has no such weights, and if the network has no layer
/// of a name (says the nearest one); errors of readSafetensorsHeader().
InitialWeights planInitialWeights(
    const NetworkSpec& network, const InitialWeightsConfig& config,
    const std::filesystem::path& file);

/// The values of the tensors that are taken. Verifies every checksum; errors of readSafetensors().
/// Error(Data) names a tensor with a value that is not finite.
std::vector<NamedTensor> readInitialTensors(const InitialWeights& initial);

} // namespace lockstep
