// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/checkpoint.h"

#include "base/error.h"
#include "storage/checkpoint/safetensors.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lockstep {
namespace {

const std::string kAverage = kAveragePrefix;
const std::string kOptimizer = kOptimizerPrefix;
const std::string kNote = kNotePrefix;
constexpr const char* kVersion = "2";

using Views = std::vector<SafetensorsView>;

void addViews(Views& views, const std::string& prefix, const std::vector<NamedTensor>& tensors)
{
    for (const auto& tensor : tensors) {
        views.push_back({prefix + tensor.name, tensor.shape, std::span(tensor.values)});
    }
}

Metadata describe(const Checkpoint& checkpoint)
{
    Metadata metadata{
        {"format", "pt"},
        {kCheckpointField, kVersion},
        {"step", std::to_string(checkpoint.step)},
        {"examples_seen", std::to_string(checkpoint.examplesSeen)},
        {"model", checkpoint.model},
        {"configuration", checkpoint.configuration},
        {"seed", std::to_string(checkpoint.seed)},
        {"run", checkpoint.run},
        {"branch", std::to_string(checkpoint.branch)},
        {"towers", std::to_string(checkpoint.towers)},
        {"threads_per_tower", std::to_string(checkpoint.threadsPerTower)},
    };
    for (const auto& [key, text] : checkpoint.notes) {
        metadata[kNote + key] = text;
    }
    return metadata;
}

// The metadata of a file, read by field; a field that is missing or no number is an error.
class Fields
{
public:
    Fields(const Metadata& metadata, std::string file)
        : m_metadata(metadata), m_file(std::move(file))
    {
    }

    [[nodiscard]] const std::string& text(const std::string& key) const
    {
        const auto field = m_metadata.find(key);
        if (field == m_metadata.end()) {
            fail(
                ErrorCode::Data, "{}: not a whole Lockstep checkpoint: no field '{}'", m_file, key);
        }
        return field->second;
    }

    template<class Integer>
    [[nodiscard]] Integer number(const std::string& key) const
    {
        const std::string& digits = text(key);
        Integer value{};
        const char* end = digits.data() + digits.size();
        const auto result = std::from_chars(digits.data(), end, value);
        if (result.ec != std::errc() || result.ptr != end || value < Integer{0}) {
            fail(ErrorCode::Data, "{}: field '{}' is '{}', not a count", m_file, key, digits);
        }
        return value;
    }

private:
    const Metadata& m_metadata;
    std::string m_file;
};

void checkKind(const SafetensorsFile& file, const Fields& fields, const std::string& name)
{
    if (fields.text(kCheckpointField) != kVersion) {
        fail(
            ErrorCode::Data, "{}: checkpoint of version {}, this program reads version {}", name,
            fields.text(kCheckpointField), kVersion);
    }
    if (!file.isChecked) {
        fail(
            ErrorCode::Data, "{}: damaged header: checksums are missing; use another checkpoint",
            name);
    }
}

Checkpoint readFields(const Metadata& metadata, const Fields& fields)
{
    Checkpoint checkpoint;
    checkpoint.step = fields.number<std::int64_t>("step");
    checkpoint.examplesSeen = fields.number<std::int64_t>("examples_seen");
    checkpoint.model = fields.text("model");
    checkpoint.configuration = fields.text("configuration");
    checkpoint.seed = fields.number<std::uint64_t>("seed");
    checkpoint.run = fields.text("run");
    checkpoint.branch = fields.number<std::int64_t>("branch");
    checkpoint.towers = fields.number<int>("towers");
    checkpoint.threadsPerTower = fields.number<int>("threads_per_tower");
    for (const auto& [key, text] : metadata) {
        if (key.starts_with(kNote)) {
            checkpoint.notes[key.substr(kNote.size())] = text;
        }
    }
    return checkpoint;
}

// Which part of the checkpoint a tensor belongs to, and its name there.
std::pair<std::vector<NamedTensor>*, std::string> place(
    Checkpoint& checkpoint, const std::string& name)
{
    if (name.starts_with(kAverage)) {
        return {&checkpoint.movingAverages, name.substr(kAverage.size())};
    }
    if (!name.starts_with(kOptimizer)) {
        return {&checkpoint.weights, name};
    }
    const std::string rest = name.substr(kOptimizer.size());
    const auto dot = rest.find('.');
    return {
        &checkpoint.optimizerState[rest.substr(0, dot)],
        dot == std::string::npos ? "" : rest.substr(dot + 1)};
}

void takeTensor(Checkpoint& checkpoint, SafetensorsTensor&& tensor, const std::string& file)
{
    auto* values = std::get_if<std::vector<float>>(&tensor.values);
    if (values == nullptr) {
        fail(ErrorCode::Data, "{}: tensor '{}' is not of type F32", file, tensor.name);
    }
    const auto [part, name] = place(checkpoint, tensor.name);
    part->push_back({name, std::move(tensor.shape), std::move(*values)});
}

// Moving averages and optimizer slots are of use only if they fit the weights one for one.
void checkTwins(
    const Checkpoint& checkpoint, const std::string& part, const std::vector<NamedTensor>& twins,
    const std::string& file)
{
    const auto same = [](const NamedTensor& a, const NamedTensor& b) {
        return a.name == b.name && a.shape == b.shape;
    };
    const auto [weight, twin] = std::mismatch(
        checkpoint.weights.begin(), checkpoint.weights.end(), twins.begin(), twins.end(), same);
    if (weight != checkpoint.weights.end() || twin != twins.end()) {
        fail(
            ErrorCode::Data, "{}: tensor '{}{}' is missing, superfluous or of another shape", file,
            part, weight != checkpoint.weights.end() ? weight->name : twin->name);
    }
}

void checkParts(const Checkpoint& checkpoint, const std::string& file)
{
    if (!checkpoint.movingAverages.empty()) {
        checkTwins(checkpoint, kAverage, checkpoint.movingAverages, file);
    }
    for (const auto& [slot, tensors] : checkpoint.optimizerState) {
        checkTwins(checkpoint, kOptimizer + slot + ".", tensors, file);
    }
}

} // namespace

void writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& path)
{
    Views views;
    addViews(views, "", checkpoint.weights);
    addViews(views, kAverage, checkpoint.movingAverages);
    for (const auto& [slot, tensors] : checkpoint.optimizerState) {
        addViews(views, kOptimizer + slot + ".", tensors);
    }
    writeSafetensors(path, views, describe(checkpoint));
}

Checkpoint readCheckpoint(const std::filesystem::path& path)
{
    SafetensorsFile file = readSafetensors(path);
    const Fields fields(file.metadata, path.string());
    checkKind(file, fields, path.string());
    Checkpoint checkpoint = readFields(file.metadata, fields);
    for (auto& tensor : file.tensors) {
        takeTensor(checkpoint, std::move(tensor), path.string());
    }
    checkParts(checkpoint, path.string());
    return checkpoint;
}

std::int64_t branchOfCheckpoint(const std::filesystem::path& path)
{
    try {
        const SafetensorsHeader header = readSafetensorsHeader(path);
        return Fields(header.metadata, path.string()).number<std::int64_t>("branch");
    } catch (const Error&) {
        return 0;
    }
}

const std::vector<NamedTensor>& weightsOf(const Checkpoint& checkpoint, WeightsKind kind)
{
    const bool isRaw = kind == WeightsKind::Raw;
    if (!isRaw && checkpoint.movingAverages.empty()) {
        fail(
            ErrorCode::BadInput,
            "the checkpoint of step {} has no moving averages; export the raw weights",
            checkpoint.step);
    }
    return isRaw ? checkpoint.weights : checkpoint.movingAverages;
}

void exportWeights(
    const Checkpoint& checkpoint, WeightsKind kind, const std::filesystem::path& path)
{
    Views views;
    addViews(views, "", weightsOf(checkpoint, kind));
    writeSafetensors(
        path, views,
        {{"format", "pt"},
         {"model", checkpoint.model},
         {"step", std::to_string(checkpoint.step)},
         {"weights", std::string(toString(kind))}});
}

} // namespace lockstep
