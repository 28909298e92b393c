// SPDX-License-Identifier: Apache-2.0
#include "session/run/initial_weights.h"

#include "base/error.h"
#include "base/nearest_name.h"
#include "dataset/examples/class_names.h"
#include "network/models/state_names.h"
#include "session/evaluation/open_checkpoint.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/store/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
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

/// By its name; whether its type is read is another question.
bool isWeight(const SafetensorsEntry& tensor)
{
    return tensor.type != TensorType::Int64 && tensor.type != TensorType::UInt64
           && !tensor.name.starts_with(kAveragePrefix) && !tensor.name.starts_with(kOptimizerPrefix)
           && !tensor.name.ends_with(".num_batches_tracked"); // a count of PyTorch's
}

bool hasAverages(const auto& tensors)
{
    return std::ranges::any_of(
        tensors, [](const auto& tensor) { return tensor.name.starts_with(kAveragePrefix); });
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
    std::map<std::string, std::string> notes;
    for (const auto& [key, text] : metadata) {
        if (key.starts_with(kNotePrefix)) {
            notes.emplace(key.substr(std::string_view(kNotePrefix).size()), text);
        }
    }
    initial.classNames = classNamesFrom(notes);
    const std::string step = field("step");
    std::from_chars(step.data(), step.data() + step.size(), initial.step);
}

bool fits(const SafetensorsEntry& entry, const ParameterSpec& parameter, const StateTensor& state)
{
    return isFloat(entry.type) && (entry.shape == parameter.shape || entry.shape == state.shape);
}

/// A name without the parts that wrappers of a layer add wherever they wrap: DataParallel,
/// torch.compile, FullyShardedDataParallel, checkpoint_wrapper.
std::string unwrapped(const std::string& name)
{
    constexpr std::array<std::string_view, 4> kWrappers{
        "module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"};
    std::string rest;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');) {
        if (std::ranges::find(kWrappers, part) == kWrappers.end()) {
            rest += (rest.empty() ? "" : ".") + part;
        }
    }
    return rest;
}

/// What stands in `whole` before the parts of `rest`, which is a name unwrapped.
std::string before(const std::string& whole, const std::string& rest)
{
    std::size_t begin = 0;
    for (std::size_t dot = whole.find('.'); dot != std::string::npos;
         dot = whole.find('.', begin)) {
        if (unwrapped(whole.substr(dot + 1)).size() < rest.size()) {
            break;
        }
        begin = dot + 1;
    }
    return whole.substr(0, begin);
}

/// Whether a prefix says that averages of weights are behind it: "ema.", "model_ema.".
bool isOfAverages(const std::string& prefix)
{
    std::istringstream parts(prefix);
    for (std::string part; std::getline(parts, part, '.');) {
        if (part == "ema" || part.starts_with("ema_") || part.ends_with("_ema")) {
            return true;
        }
    }
    return false;
}

/// The weights of a file as one network may call them.
class WeightsThere
{
public:
    /// Error(BadInput) if they are there twice and nothing says which are meant.
    WeightsThere(
        const NetworkSpec& network, const SafetensorsHeader& header, const fs::path& file,
        bool wantsAverages)
        : m_file(file)
    {
        for (const SafetensorsEntry& entry : header.tensors) {
            if (isWeight(entry)) {
                m_weights.push_back({unwrapped(entry.name), &entry});
            }
        }
        choosePrefix(network, wantsAverages);
    }

    /// Before all names, wrappers aside.
    [[nodiscard]] const std::string& prefix() const { return m_prefix; }
    /// As it stands in the file: "module.model."
    [[nodiscard]] const std::string& wholePrefix() const { return m_wholePrefix; }

    /// Null if there is none.
    [[nodiscard]] const SafetensorsEntry* named(const std::string& name) const
    {
        const SafetensorsEntry* found = nullptr;
        const std::string wanted = m_prefix + unwrapped(name);
        for (const auto& [rest, entry] : m_weights) {
            if (m_prefix.empty() && entry->name == name) {
                return entry;
            }
            if (rest != wanted) {
                continue;
            }
            if (found != nullptr) {
                fail(
                    ErrorCode::BadInput,
                    "initial_weights.checkpoint is {}, which has the weights of '{}' twice: '{}' "
                    "and '{}'; write those that you mean into a file of their own",
                    m_file.string(), name, found->name, entry->name);
            }
            found = entry;
        }
        return found;
    }
    /// Where the network's own name is not there, torchvision's.
    [[nodiscard]] const SafetensorsEntry* of(
        const ParameterSpec& parameter, const StateTensor& state) const
    {
        const SafetensorsEntry* const own = named(parameter.name);
        return own == nullptr ? named(state.name) : own;
    }

private:
    struct Weight
    {
        std::string rest; ///< its name, unwrapped
        const SafetensorsEntry* entry;
    };
    struct Candidate
    {
        std::size_t count = 0; ///< of tensors that fit
        std::string whole;     ///< of the first of them
    };

    /// What stands before all names that fit, if it does so for at least half of the parameters
    /// and for more than have nothing before them.
    void choosePrefix(const NetworkSpec& network, bool wantsAverages)
    {
        std::map<std::string, Candidate> candidates;
        for (const ParameterSpec& parameter : network.parameters) {
            addPrefixesOf(parameter, stateTensor(network, parameter), candidates);
        }
        const auto rank = [&](const auto& each) {
            return std::pair(each.second.count, isOfAverages(each.first) == wantsAverages);
        };
        candidates.try_emplace("");
        auto best = std::ranges::max_element(candidates, {}, rank);
        const auto none = candidates.find("");
        if (2 * best->second.count < network.parameters.size()
            || (best->second.count <= none->second.count && !wantsAverages)) {
            best = none;
        }
        for (const auto& [prefix, other] : candidates) {
            if (!best->first.empty() && prefix != best->first
                && rank(std::pair(prefix, other)) == rank(*best)) {
                fail(
                    ErrorCode::BadInput,
                    "initial_weights.checkpoint is {}, which has the weights of '{}' twice: behind "
                    "'{}' and behind '{}'; write those that you mean into a file of their own",
                    m_file.string(), network.name, best->second.whole, other.whole);
            }
        }
        m_prefix = best->first;
        m_wholePrefix = best->second.whole;
    }

    void addPrefixesOf(
        const ParameterSpec& parameter, const StateTensor& state,
        std::map<std::string, Candidate>& candidates) const
    {
        std::map<std::string, std::string> found; // each once, though a parameter has two names
        for (const auto& [rest, entry] : m_weights) {
            for (const std::string& name : {unwrapped(parameter.name), unwrapped(state.name)}) {
                if (fits(*entry, parameter, state)
                    && (rest == name || rest.ends_with("." + name))) {
                    found.emplace(
                        rest.substr(0, rest.size() - name.size()), before(entry->name, name));
                }
            }
        }
        for (const auto& [prefix, whole] : found) {
            Candidate& candidate = candidates[prefix];
            candidate.whole = candidate.count++ == 0 ? whole : candidate.whole;
        }
    }

    const fs::path& m_file;
    std::vector<Weight> m_weights;
    std::string m_prefix;
    std::string m_wholePrefix;
};
/// Which weights are taken: averages where there are some, unless the raw ones are asked for.
WeightsKind kindOf(
    const WeightsThere& there, bool hasOwnAverages, const InitialWeightsConfig& config,
    const fs::path& file)
{
    const bool areThere = hasOwnAverages || isOfAverages(there.prefix());
    if (config.weights == toString(WeightsKind::Average) && !areThere) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.weights is average, but {} has no moving averages; use raw or auto",
            file.string());
    }
    return areThere && config.weights != toString(WeightsKind::Raw) ? WeightsKind::Average
                                                                    : WeightsKind::Raw;
}

InitialTensor planned(
    const NetworkSpec& network, const ParameterSpec& parameter, const WeightsThere& there,
    const InitialWeightsConfig& config)
{
    InitialTensor tensor{parameter.name, parameter.shape};
    const StateTensor state = stateTensor(network, parameter);
    const SafetensorsEntry* const found = there.of(parameter, state);
    const auto& fresh = config.freshLayers;
    if (std::ranges::find(fresh, layerOf(parameter.name)) != fresh.end()) {
        tensor.kind = InitialTensorKind::Fresh;
    } else if (found == nullptr || !isFloat(found->type)) {
        tensor.kind = InitialTensorKind::Missing;
        tensor.nameThere = found == nullptr ? "" : found->name;
    } else {
        tensor.kind = fits(*found, parameter, state) ? InitialTensorKind::Taken
                                                     : InitialTensorKind::OtherShape;
        tensor.nameThere = found->name;
        tensor.shapeThere = found->shape;
    }
    return tensor;
}

bool isRead(const SafetensorsEntry& tensor)
{
    return isFloat(tensor.type);
}
bool isRead(const ParameterSpec& /*parameter*/)
{
    return true;
}

/// "conv1.weight 16x3x3x3, conv1.bias 16"
std::string shapesOf(const auto& tensors)
{
    std::vector<std::string> names;
    for (const auto& tensor : tensors) {
        names.push_back(fmt::format(
            "{} {}{}", tensor.name, fmt::join(tensor.shape, "x"),
            isRead(tensor) ? "" : " of a type that is not read"));
    }
    return names.empty() ? "no tensors" : someOf(names);
}

void checkTaken(
    const InitialWeights& initial, const NetworkSpec& network, const SafetensorsHeader& header)
{
    if (initial.taken() == 0) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.checkpoint is {}, but nothing of it fits model '{}'{}: it has {}, the "
            "model {}; choose a checkpoint of the same network, or fewer fresh layers",
            initial.file.string(), network.name,
            initial.model.empty() ? "" : fmt::format(" (it is of model '{}')", initial.model),
            shapesOf(header.tensors), shapesOf(network.parameters));
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
    const bool hasOwnAverages = hasAverages(header.tensors);
    const WeightsThere there(
        network, header, file, !hasOwnAverages && config.weights == toString(WeightsKind::Average));
    initial.weights = kindOf(there, hasOwnAverages, config, file);
    if (header.metadata.contains(kCheckpointField)) {
        describe(initial, header.metadata);
    }
    initial.prefix = there.wholePrefix();
    std::set<const SafetensorsEntry*> known;
    for (const ParameterSpec& parameter : network.parameters) {
        initial.tensors.push_back(planned(network, parameter, there, config));
        known.insert(there.of(parameter, stateTensor(network, parameter)));
    }
    for (const SafetensorsEntry& entry : header.tensors) {
        if (isWeight(entry) && isFloat(entry.type) && !known.contains(&entry)) {
            initial.unused.push_back(entry.name);
        }
    }
    checkTaken(initial, network, header);
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
    const bool isOwnAverage = initial.weights == WeightsKind::Average && hasAverages(file.tensors);
    const std::string prefix = isOwnAverage ? kAverage : "";
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
