// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/safetensors_header.h"

#include "base/crc32.h"
#include "base/error.h"
#include "base/text_bytes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace lockstep {
namespace {

using nlohmann::json;

constexpr const char* kMetadata = "__metadata__";
constexpr const char* kHeaderChecksum = "header_crc32";
const std::string kChecksumPrefix = "crc32.";
const std::string kNoChecksum = "00000000";
// Objects nest at most this deep in a header: the file, a tensor, its shape.
constexpr int kMaxDepth = 2;

[[noreturn]] void failHeader(const std::string& file, const std::string& what)
{
    fail(ErrorCode::Data, "{}: damaged header: {}; use another copy of the file", file, what);
}

[[noreturn]] void failTensor(
    const std::string& file, const std::string& tensor, const std::string& what)
{
    fail(ErrorCode::Data, "{}: tensor '{}': {}; use another copy of the file", file, tensor, what);
}

// Refuses what the JSON library would quietly accept: a key that comes twice, and deep nesting.
class StrictKeys
{
public:
    explicit StrictKeys(const std::string& file) : m_file(file) {}

    bool operator()(int depth, json::parse_event_t event, const json& value)
    {
        const bool opens =
            event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
        if (opens && depth > kMaxDepth) {
            failHeader(m_file, "nested too deeply");
        }
        if (opens) {
            m_keys[depth + 1].clear();
        }
        if (event == json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!m_keys[depth].insert(key).second) {
                failHeader(m_file, fmt::format("'{}' comes twice", key));
            }
        }
        return true;
    }

private:
    const std::string& m_file;
    std::map<int, std::set<std::string>> m_keys;
};

json parseStrictly(const std::string& text, const std::string& file)
{
    if (text.empty() || text.front() != '{') {
        failHeader(file, "it does not begin with '{'");
    }
    try {
        return json::parse(text, StrictKeys(file));
    } catch (const json::exception& error) {
        failHeader(file, error.what());
    }
}

// Where the header's own checksum stands in its text. JSON escapes quotes inside texts, so nothing
// else in a header can look like this.
std::optional<std::size_t> checksumPosition(const std::string& text)
{
    const std::string key = fmt::format(R"("{}":")", kHeaderChecksum);
    const auto position = text.find(key);
    return position == std::string::npos ? std::nullopt : std::optional(position + key.size());
}

bool verifyOwnChecksum(std::string text, const std::string& file)
{
    const auto position = checksumPosition(text);
    if (!position) {
        return false;
    }
    const std::string stored = text.substr(*position, kNoChecksum.size());
    text.replace(*position, kNoChecksum.size(), kNoChecksum);
    if (stored != checksumText(std::as_bytes(std::span(text)))) {
        failHeader(file, "its checksum differs");
    }
    return true;
}

void readMetadata(const json& object, SafetensorsHeader& header, const std::string& file)
{
    if (!object.is_object()) {
        failHeader(file, fmt::format("{} is not an object", kMetadata));
    }
    for (const auto& [key, value] : object.items()) {
        if (!value.is_string()) {
            failHeader(file, fmt::format("{}: '{}' is not a text", kMetadata, key));
        }
        if (key.starts_with(kChecksumPrefix)) {
            header.checksums[key.substr(kChecksumPrefix.size())] = value.get<std::string>();
        } else if (key != kHeaderChecksum) {
            header.metadata[key] = fromUtf8(value.get_ref<const std::string&>());
        }
    }
}

struct KnownType
{
    const char* name;
    TensorType type;
    std::uint64_t bytes;
};

constexpr auto kTypes = std::to_array<KnownType>(
    {{"F32", TensorType::Float32, 4},
     {"I64", TensorType::Int64, 8},
     {"U64", TensorType::UInt64, 8},
     {"F16", TensorType::Float16, 2},
     {"BF16", TensorType::BFloat16, 2},
     {"F64", TensorType::Float64, 8},
     {"U8", TensorType::Other1, 1},
     {"I8", TensorType::Other1, 1},
     {"BOOL", TensorType::Other1, 1},
     {"F8_E4M3", TensorType::Other1, 1},
     {"F8_E5M2", TensorType::Other1, 1},
     {"I16", TensorType::Other2, 2},
     {"U16", TensorType::Other2, 2},
     {"I32", TensorType::Other4, 4},
     {"U32", TensorType::Other4, 4}});

TensorType readType(const json& tensor)
{
    const auto& name = tensor.at("dtype").get_ref<const std::string&>();
    const auto* const known =
        std::ranges::find_if(kTypes, [&](const KnownType& each) { return name == each.name; });
    if (known == kTypes.end()) {
        fail(ErrorCode::Data, "type {} is none that is known", name);
    }
    return known->type;
}

std::uint64_t readSize(const json& number)
{
    if (!number.is_number_unsigned()) {
        fail(ErrorCode::Data, "{} is not a size", number.dump());
    }
    return number.get<std::uint64_t>();
}

SafetensorsEntry readEntry(const std::string& name, const json& tensor)
{
    SafetensorsEntry entry{name, readType(tensor), {}, 0, 0};
    const auto& offsets = tensor.at("data_offsets").get_ref<const json::array_t&>();
    if (tensor.size() != 3 || offsets.size() != 2) {
        fail(ErrorCode::Data, "it has other fields than dtype, shape and two data_offsets");
    }
    for (const auto& size : tensor.at("shape").get_ref<const json::array_t&>()) {
        entry.shape.push_back(static_cast<std::int64_t>(readSize(size)));
    }
    entry.begin = readSize(offsets[0]);
    entry.end = readSize(offsets[1]);
    return entry;
}

SafetensorsEntry readNamedEntry(
    const std::string& name, const json& tensor, const std::string& file)
{
    try {
        return readEntry(name, tensor);
    } catch (const json::exception& error) {
        failTensor(file, name, error.what());
    } catch (const Error& error) {
        failTensor(file, name, error.what());
    }
}

// Tensors must cover the data without gap or overlap, as the format demands.
void checkLayout(
    const std::vector<SafetensorsEntry>& tensors, std::uint64_t dataBytes, const std::string& file)
{
    std::uint64_t end = 0;
    for (const auto& tensor : tensors) {
        if (tensor.begin != end || tensor.end < tensor.begin) {
            failTensor(file, tensor.name, "it overlaps another tensor, or leaves a gap before it");
        }
        if (bytesOf(tensor, file) != tensor.end - tensor.begin) {
            failTensor(
                file, tensor.name,
                fmt::format(
                    "its shape needs {} bytes, it has {}", bytesOf(tensor, file),
                    tensor.end - tensor.begin));
        }
        end = tensor.end;
    }
    if (end != dataBytes) {
        fail(
            ErrorCode::Data,
            "{}: the file is {}: {} bytes of data instead of {}; use another copy of it", file,
            dataBytes < end ? "cut short" : "too long", dataBytes, end);
    }
}

} // namespace

const char* toString(TensorType type)
{
    return std::ranges::find(kTypes, type, &KnownType::type)->name;
}

std::uint64_t bytesOf(TensorType type)
{
    return std::ranges::find(kTypes, type, &KnownType::type)->bytes;
}

std::uint64_t bytesOf(const SafetensorsEntry& tensor, const std::string& file)
{
    std::uint64_t bytes = bytesOf(tensor.type);
    for (const std::int64_t size : tensor.shape) {
        if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) {
            failTensor(file, tensor.name, "its shape is impossibly large");
        }
    }
    return bytes;
}

std::string encodeHeader(const SafetensorsHeader& header)
{
    json metadata;
    for (const auto& [key, value] : header.metadata) {
        metadata[key] = toUtf8(value);
    }
    metadata[kHeaderChecksum] = kNoChecksum;
    for (const auto& [tensor, checksum] : header.checksums) {
        metadata[kChecksumPrefix + tensor] = checksum;
    }
    json object;
    object[kMetadata] = std::move(metadata);
    for (const auto& tensor : header.tensors) {
        object[tensor.name] = {
            {"dtype", toString(tensor.type)},
            {"shape", tensor.shape},
            {"data_offsets", {tensor.begin, tensor.end}}};
    }
    std::string text = object.dump(-1, ' ', false, json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const auto position = checksumPosition(text);
    require(position.has_value(), "a header without its checksum");
    text.replace(*position, kNoChecksum.size(), checksumText(std::as_bytes(std::span(text))));
    return text;
}

SafetensorsHeader decodeHeader(
    const std::string& text, std::uint64_t dataBytes, const std::string& file)
{
    const json object = parseStrictly(text, file);
    SafetensorsHeader header;
    header.isChecked = verifyOwnChecksum(text, file);
    for (const auto& [name, value] : object.items()) {
        if (name == kMetadata) {
            readMetadata(value, header, file);
        } else {
            header.tensors.push_back(readNamedEntry(name, value, file));
        }
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    checkLayout(header.tensors, dataBytes, file);
    for (const auto& tensor : header.tensors) {
        header.isChecked = header.isChecked && header.checksums.contains(tensor.name);
    }
    return header;
}

} // namespace lockstep
