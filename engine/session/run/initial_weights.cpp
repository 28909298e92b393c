// SPDX-License-Identifier: Apache-2.0
#include "session/run/initial_weights.h"

#include "base/error.h"
#include "base/nearest_name.h"
#include "network/models/state_names.h"
#include "session/evaluation/open_checkpoint.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/store/run_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const std::string kAverage = kAveragePrefix;

/// The layer of parameter "conv1.weight".
std::string layerOf(const std::string& parameter)
{
    return parameter.substr(0, parameter.rfind('.'));
}

void checkLayers(const NetworkSpec& network, const std::vector<std::string>& wanted)
{
    std::vector<std::string> layers;
    for (const ParameterSpec& parameter : network.parameters) {
        layers.push_back(layerOf(parameter.name));
    }
    for (const std::string& layer : wanted) {
        if (std::ranges::find(layers, layer) == layers.end()) {
            fail(
                ErrorCode::BadInput,
                "initial_weights.fresh_layers names '{}', but model '{}' has no layer of that name "
                "with weights; did you mean '{}'?",
                layer, network.name, nearestName(layer, layers));
        }
    }
}

bool isWeight(const SafetensorsEntry& tensor)
{
    return isFloat(tensor.type) && !tensor.name.starts_with(kAveragePrefix)
           && !tensor.name.starts_with(kOptimizerPrefix);
}

bool hasAverages(const SafetensorsHeader& header)
{
    return std::ranges::any_of(header.tensors, [](const SafetensorsEntry& tensor) {
        return tensor.name.starts_with(kAveragePrefix);
    });
}

WeightsKind kindOf(
    const SafetensorsHeader& header, const InitialWeightsConfig& config, const fs::path& file)
{
    const bool areThere = hasAverages(header);
    if (config.weights == toString(WeightsKind::Average) && !areThere) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.weights is average, but {} has no moving averages; use raw or auto",
            file.string());
    }
    return areThere && config.weights != toString(WeightsKind::Raw) ? WeightsKind::Average
                                                                    : WeightsKind::Raw;
}

/// What a checkpoint says of itself; of another file nothing.
void describe(InitialWeights& initial, const Metadata& metadata)
{
    const auto field = [&](const char* name) {
        const auto found = metadata.find(name);
        return found == metadata.end() ? std::string() : found->second;
    };
    initial.model = field("model");
    initial.run = field("run");
    const std::string step = field("step");
    std::from_chars(step.data(), step.data() + step.size(), initial.step);
}

bool fits(const SafetensorsEntry& entry, const ParameterSpec& parameter, const StateTensor& state)
{
    return entry.shape == parameter.shape || entry.shape == state.shape;
}

/// What wrappers of a model have put before all names: DataParallel, torch.compile, Lightning.
std::string prefixOf(const NetworkSpec& network, const SafetensorsHeader& header)
{
    std::map<std::string, std::size_t> counts; // of tensors that fit
    for (const ParameterSpec& parameter : network.parameters) {
        const StateTensor state = stateTensor(network, parameter);
        std::set<std::string> prefixes;
        for (const SafetensorsEntry& entry : header.tensors) {
            for (const std::string& name : {parameter.name, state.name}) {
                const bool isWhole = entry.name == name;
                if (isWeight(entry) && fits(entry, parameter, state)
                    && (isWhole || entry.name.ends_with("." + name))) {
                    prefixes.insert(entry.name.substr(0, entry.name.size() - name.size()));
                }
            }
        }
        for (const std::string& prefix : prefixes) {
            ++counts[prefix];
        }
    }
    const auto rank = [](const auto& each) {
        const bool isAverage = each.first.find("ema") != std::string::npos;
        return std::tuple(each.second, !isAverage, -std::ssize(each.first));
    };
    const auto best = std::ranges::max_element(counts, {}, rank);
    const bool isClear = best != counts.end() && 2 * best->second >= network.parameters.size()
                         && best->second > counts[""];
    return isClear ? best->first : "";
}

InitialTensor planned(
    const NetworkSpec& network, const ParameterSpec& parameter, const SafetensorsHeader& header,
    const InitialWeightsConfig& config, const std::string& prefix)
{
    InitialTensor tensor{parameter.name, parameter.shape};
    const StateTensor state = stateTensor(network, parameter);
    const auto named = [&](const std::string& name) {
        return std::ranges::find_if(header.tensors, [&](const SafetensorsEntry& entry) {
            return isWeight(entry) && entry.name == prefix + name;
        });
    };
    const auto own = named(parameter.name);
    const auto found = own == header.tensors.end() ? named(state.name) : own;
    const auto& fresh = config.freshLayers;
    if (std::ranges::find(fresh, layerOf(parameter.name)) != fresh.end()) {
        tensor.kind = InitialTensorKind::Fresh;
    } else if (found == header.tensors.end()) {
        tensor.kind = InitialTensorKind::Missing;
    } else {
        tensor.kind = fits(*found, parameter, state) ? InitialTensorKind::Taken
                                                     : InitialTensorKind::OtherShape;
        tensor.nameThere = found->name;
        tensor.shapeThere = found->shape;
    }
    return tensor;
}

void checkTaken(const InitialWeights& initial, const NetworkSpec& network)
{
    if (initial.taken() == 0) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.checkpoint is {}, but nothing of it fits model '{}'{}; choose a "
            "checkpoint of the same network, or fewer fresh layers",
            initial.file.string(), network.name,
            initial.model.empty() ? "" : fmt::format(" (it is of model '{}')", initial.model));
    }
}

/// By its first bytes: a zip archive, or an old one alone.
bool isPickle(const fs::path& path)
{
    std::array<char, 4> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    const std::string_view bytes(start.data(), start.size());
    return bytes == "PK\3\4" || bytes.starts_with("\x80\x02") || path.extension() == ".pth"
           || path.extension() == ".pt";
}

} // namespace

fs::path initialWeightsFile(
    const InitialWeightsConfig& config, const std::function<void(const std::string&)>& onSkipped)
{
    const fs::path path = config.checkpoint;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.checkpoint is {}, but no file or run of this name exists; choose "
            "another one, or leave it empty to begin with random weights",
            path.string());
    }
    if (isPickle(path)) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.checkpoint is {}, a pickle of PyTorch, which may run any program when "
            "it is opened; write it as safetensors, in Python: d = torch.load(FILE, "
            "map_location='cpu', weights_only=True); d = d.get('state_dict', d); "
            "safetensors.torch.save_file(dict((k, v.clone().contiguous()) for k, v in d.items()), "
            "'weights.safetensors')",
            path.string());
    }
    return fs::is_directory(path, ignored) ? openCheckpoint(path, onSkipped).file.path : path;
}

bool isFoundIn(const fs::path& file, const fs::path& folder)
{
    const fs::path name = file.filename();
    return !name.empty()
           && (file == folder / name || file == RunFolder::checkpointsOf(folder) / name);
}

InitialWeights planInitialWeights(
    const NetworkSpec& network, const InitialWeightsConfig& config, const fs::path& file)
{
    checkLayers(network, config.freshLayers);
    const SafetensorsHeader header = readSafetensorsHeader(file);
    InitialWeights initial;
    initial.file = file;
    initial.weights = kindOf(header, config, file);
    if (header.metadata.contains(kCheckpointField)) {
        describe(initial, header.metadata);
    }
    initial.prefix = prefixOf(network, header);
    for (const ParameterSpec& parameter : network.parameters) {
        initial.tensors.push_back(planned(network, parameter, header, config, initial.prefix));
    }
    for (const SafetensorsEntry& entry : header.tensors) {
        const bool isKnown = std::ranges::any_of(network.parameters, [&](const auto& parameter) {
            return entry.name == initial.prefix + parameter.name
                   || entry.name == initial.prefix + stateTensor(network, parameter).name;
        });
        if (isWeight(entry) && !isKnown) {
            initial.unused.push_back(entry.name);
        }
    }
    checkTaken(initial, network);
    initial.pictures = initial.model.empty() ? expectedPictures(network) : "";
    return initial;
}

std::vector<NamedTensor> readInitialTensors(const InitialWeights& initial)
{
    SafetensorsFile file = readSafetensors(initial.file);
    if (!initial.model.empty() && !file.isChecked) {
        fail(
            ErrorCode::Data, "{}: damaged header: checksums are missing; use another checkpoint",
            initial.file.string());
    }
    const std::string prefix = initial.weights == WeightsKind::Average ? kAverage : "";
    std::vector<NamedTensor> tensors;
    for (const InitialTensor& wanted : initial.tensors) {
        if (!wanted.isTaken()) {
            continue;
        }
        const auto found =
            std::ranges::find(file.tensors, prefix + wanted.nameThere, &SafetensorsTensor::name);
        auto* const values =
            found == file.tensors.end() ? nullptr : std::get_if<std::vector<float>>(&found->values);
        if (values == nullptr || found->shape != wanted.shapeThere) {
            fail(
                ErrorCode::Data, "{}: damaged: it has no fitting tensor '{}'; use another file",
                initial.file.string(), prefix + wanted.nameThere);
        }
        if (!std::ranges::all_of(*values, [](float value) { return std::isfinite(value); })) {
            fail(
                ErrorCode::Data,
                "{}: tensor '{}' has values that are not finite; use an earlier checkpoint, or "
                "name its layer in initial_weights.fresh_layers",
                initial.file.string(), prefix + wanted.name);
        }
        tensors.push_back({wanted.name, wanted.shape, std::move(*values)});
    }
    return tensors;
}

} // namespace lockstep
