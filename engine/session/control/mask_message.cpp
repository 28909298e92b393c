// SPDX-License-Identifier: Apache-2.0
#include "session/control/mask_message.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

namespace lockstep {
namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

static_assert(std::endian::native == std::endian::little, "values are sent as they lie in memory");

constexpr double kBrightest = 255.0;

Json toJson(const Shape& shape)
{
    return {shape.height, shape.width, shape.channels};
}

Shape shapeFrom(const Json& json)
{
    return {json.at(0), json.at(1), json.at(2)};
}

Json shadesOf(const std::vector<float>& values, double white)
{
    Bytes shades(values.size());
    std::ranges::transform(values, shades.begin(), [white](float value) {
        const double share = std::clamp(static_cast<double>(value) / white, 0.0, 1.0);
        return static_cast<std::uint8_t>(std::lround(share * kBrightest));
    });
    return Json::binary(std::move(shades));
}

std::vector<float> fromShades(const Json& json, double white)
{
    const Bytes& shades = json.get_binary();
    std::vector<float> values(shades.size());
    std::ranges::transform(shades, values.begin(), [white](std::uint8_t shade) {
        return static_cast<float>(shade * white / kBrightest);
    });
    return values;
}

Json bytesOf(const std::vector<float>& values)
{
    Bytes bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return Json::binary(std::move(bytes));
}

std::vector<float> floatsFrom(const Json& json)
{
    const Bytes& bytes = json.get_binary();
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

Json toJson(const ImageMasks& image, double white)
{
    Json json{{"example", image.example},    {"name", image.name},
              {"label", image.label},        {"input", shadesOf(image.input, white)},
              {"mask", bytesOf(image.mask)}, {"probabilities", bytesOf(image.probabilities)}};
    if (image.score) {
        json["score"] = *image.score;
    }
    return json;
}

std::size_t sizeOf(const ImageMasks& image)
{
    return image.input.size() + sizeof(float) * (image.mask.size() + image.probabilities.size());
}

/// So many images of each tower fit.
std::size_t imagesThatFit(const MaskRecord& record, std::size_t most)
{
    std::size_t bytes = 0;
    for (std::size_t place = 0;; ++place) {
        bool isAny = false;
        for (const TowerMasks& tower : record.towers) {
            if (place < tower.images.size()) {
                isAny = true;
                bytes += sizeOf(tower.images[place]);
            }
        }
        if (!isAny || bytes > most) {
            return place;
        }
    }
}

ImageMasks imageFrom(const Json& json, const MaskRecord& record)
{
    ImageMasks image;
    image.example = json.at("example");
    image.name = json.at("name");
    image.label = json.at("label");
    image.input = fromShades(json.at("input"), record.white);
    image.mask = floatsFrom(json.at("mask"));
    image.probabilities = floatsFrom(json.at("probabilities"));
    if (const auto score = json.find("score"); score != json.end()) {
        image.score = score->get<double>();
    }
    const std::int64_t cells = record.mask.elements();
    if (std::ssize(image.input) != record.input.elements() || std::ssize(image.mask) != cells
        || std::ssize(image.probabilities) != cells) {
        fail(ErrorCode::Data, "the masks of a running training are not of the size that they tell");
    }
    return image;
}

TowerMasks towerFrom(const Json& json, const MaskRecord& record)
{
    TowerMasks tower;
    tower.loss = json.at("loss");
    for (const Json& part : json.at("objectives")) {
        tower.objectives.push_back({part.at(0), part.at(1)});
    }
    for (const Json& image : json.at("images")) {
        tower.images.push_back(imageFrom(image, record));
    }
    return tower;
}

} // namespace

std::string toMessage(const MaskRecord& record, std::size_t most)
{
    const std::size_t images = imagesThatFit(record, most);
    Json towers = Json::array();
    for (const TowerMasks& tower : record.towers) {
        Json objectives = Json::array();
        for (const NamedLoss& part : tower.objectives) {
            objectives.push_back(Json::array({part.objective, part.loss}));
        }
        Json told = Json::array();
        for (std::size_t i = 0; i < std::min(images, tower.images.size()); ++i) {
            told.push_back(toJson(tower.images[i], record.white));
        }
        towers.push_back({{"loss", tower.loss}, {"objectives", objectives}, {"images", told}});
    }
    std::string message;
    Json::to_cbor(
        {{"step", record.step},
         {"input", toJson(record.input)},
         {"mask", toJson(record.mask)},
         {"white", record.white},
         {"towers", std::move(towers)}},
        message);
    return message;
}

MaskRecord maskRecordFrom(const std::string& message)
{
    try {
        const Json json = Json::from_cbor(message);
        MaskRecord record;
        record.step = json.at("step");
        record.input = shapeFrom(json.at("input"));
        record.mask = shapeFrom(json.at("mask"));
        record.white = json.at("white");
        for (const Json& tower : json.at("towers")) {
            record.towers.push_back(towerFrom(tower, record));
        }
        return record;
    } catch (const Json::exception& error) {
        fail(ErrorCode::Data, "the masks of a running training can't be read: {}", error.what());
    }
}

} // namespace lockstep
