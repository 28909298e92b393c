// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_encoding.h"

#include <event.pb.h>
#include <google/protobuf/io/coded_stream.h>

#include <cstring>
#include <optional>
#include <variant>

namespace lockstep {
namespace {

constexpr const char* kFileVersion = "brain.Event:2";

void encode(double value, event::Value& target)
{
    target.set_simple_value(static_cast<float>(value));
}

void encode(const Histogram& histogram, event::Value& target)
{
    event::HistogramData& data = *target.mutable_histo();
    data.set_min(histogram.minimum);
    data.set_max(histogram.maximum);
    data.set_num(histogram.count);
    data.set_sum(histogram.sum);
    data.set_sum_squares(histogram.sumOfSquares);
    data.mutable_bucket_limit()->Assign(histogram.limits.begin(), histogram.limits.end());
    data.mutable_bucket()->Assign(histogram.counts.begin(), histogram.counts.end());
}

void encode(const PngImage& image, event::Value& target)
{
    event::Image& data = *target.mutable_image();
    data.set_height(static_cast<std::int32_t>(image.height));
    data.set_width(static_cast<std::int32_t>(image.width));
    data.set_colorspace(static_cast<std::int32_t>(image.channels));
    data.set_encoded_image_string(image.bytes);
}

Histogram decode(const event::HistogramData& data)
{
    return {
        data.min(),
        data.max(),
        data.num(),
        data.sum(),
        data.sum_squares(),
        {data.bucket_limit().begin(), data.bucket_limit().end()},
        {data.bucket().begin(), data.bucket().end()}};
}

PngImage decode(const event::Image& data)
{
    return {data.height(), data.width(), data.colorspace(), data.encoded_image_string()};
}

/// The number of a tensor of one; empty for any other.
std::optional<double> scalarOf(const event::Tensor& tensor)
{
    constexpr int kFloat32 = 1;
    constexpr int kFloat64 = 2;
    const std::string& bytes = tensor.tensor_content();
    const auto read = [&](auto number) {
        std::memcpy(&number, bytes.data(), sizeof(number));
        return static_cast<double>(number);
    };
    if (tensor.dtype() == kFloat32 && tensor.float_val_size() == 1) {
        return tensor.float_val(0);
    }
    if (tensor.dtype() == kFloat64 && tensor.double_val_size() == 1) {
        return tensor.double_val(0);
    }
    if (tensor.dtype() == kFloat32 && bytes.size() == sizeof(float)) {
        return read(float{});
    }
    if (tensor.dtype() == kFloat64 && bytes.size() == sizeof(double)) {
        return read(double{});
    }
    return std::nullopt;
}

void decode(const event::Value& value, EventRecord& record)
{
    switch (value.value_case()) {
    case event::Value::kSimpleValue:
        record.values.push_back({value.tag(), double{value.simple_value()}});
        break;
    case event::Value::kHisto:
        record.values.push_back({value.tag(), decode(value.histo())});
        break;
    case event::Value::kImage:
        record.values.push_back({value.tag(), decode(value.image())});
        break;
    case event::Value::kTensor:
        if (const auto scalar = scalarOf(value.tensor())) {
            record.values.push_back({value.tag(), *scalar});
        }
        break;
    case event::Value::VALUE_NOT_SET:
        break;
    }
}

EventKind kindOf(const event::Event& message)
{
    switch (message.what_case()) {
    case event::Event::kSummary:
        return EventKind::Values;
    case event::Event::kFileVersion:
        return EventKind::Version;
    case event::Event::kSessionLog:
        return message.session_log().status() == event::SessionLog::START ? EventKind::Start
                                                                          : EventKind::Other;
    case event::Event::WHAT_NOT_SET:
        break;
    }
    return EventKind::Other;
}

/// A field of a message: its number, then how it is written.
constexpr std::uint32_t fieldTag(std::uint32_t number, std::uint32_t wireType)
{
    return number << 3U | wireType;
}

} // namespace

std::string encodeEvent(const EventRecord& record)
{
    event::Event message;
    message.set_wall_time(record.time);
    message.set_step(record.step);
    if (record.kind == EventKind::Version) {
        message.set_file_version(kFileVersion);
    } else if (record.kind == EventKind::Start) {
        message.mutable_session_log()->set_status(event::SessionLog::START);
    }
    for (const EventValue& value : record.values) {
        event::Value& target = *message.mutable_summary()->add_value();
        target.set_tag(value.tag);
        std::visit([&](const auto& content) { encode(content, target); }, value.value);
    }
    return message.SerializeAsString();
}

std::optional<EventRecord> decodeEvent(const std::string& payload)
{
    event::Event message;
    if (!message.ParseFromString(payload)) {
        return std::nullopt;
    }
    EventRecord record{kindOf(message), message.wall_time(), message.step(), {}};
    for (const event::Value& value : message.summary().value()) {
        decode(value, record);
    }
    return record;
}

std::optional<std::int64_t> stepOf(std::span<const char> beginning)
{
    constexpr std::uint32_t kVarint = 0;
    constexpr std::uint32_t kFixed64 = 1;
    google::protobuf::io::CodedInputStream stream(
        reinterpret_cast<const std::uint8_t*>(beginning.data()),
        static_cast<int>(beginning.size()));
    std::uint64_t time = 0;
    std::uint64_t step = 0;
    std::uint32_t tag = stream.ReadTag();
    if (tag == fieldTag(event::Event::kWallTimeFieldNumber, kFixed64)) {
        if (!stream.ReadLittleEndian64(&time)) {
            return std::nullopt;
        }
        tag = stream.ReadTag();
    }
    if (tag == fieldTag(event::Event::kStepFieldNumber, kVarint)) {
        return stream.ReadVarint64(&step) ? std::optional(static_cast<std::int64_t>(step))
                                          : std::nullopt;
    }
    return tag != 0 ? std::optional<std::int64_t>(0) : std::nullopt; // 0 is left out
}

} // namespace lockstep
