// SPDX-License-Identifier: Apache-2.0
#include "storage/store/gradient_csv.h"

#include "metrics/gradient_agreement.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace lockstep {
namespace {

std::string gradientHeader(int towers)
{
    std::string line = "step,layer,weight_norm,gradient_norm,update_to_weight,noise_scale";
    for (const char* what : {"norm", "cosine"}) {
        for (int tower = 0; tower < towers; ++tower) {
            line += fmt::format(",{}_tower_{}", what, tower);
        }
    }
    return line + "\n";
}

void appendDefined(fmt::memory_buffer& line, double value)
{
    line.push_back(',');
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(line), "{}", value);
    }
}

void appendTowers(fmt::memory_buffer& line, const std::vector<double>& values, std::size_t towers)
{
    for (std::size_t tower = 0; tower < towers; ++tower) {
        appendDefined(line, tower < values.size() ? values[tower] : NAN);
    }
}

/// Empty for layers: the noise scale is the network's.
using NoiseScale = std::optional<double>;

std::string rowOf(
    std::int64_t step, const LayerAgreement& layer, NoiseScale noiseScale, std::size_t towers)
{
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{},{}", step, layer.layer);
    for (const double value :
         {layer.weightNorm, layer.gradientNorm, layer.updateToWeight, noiseScale.value_or(NAN)}) {
        appendDefined(line, value);
    }
    appendTowers(line, layer.towerNorms, towers);
    appendTowers(line, layer.cosines, towers);
    line.push_back('\n');
    return fmt::to_string(line);
}

void writeGradients(const RunStoreReader& store, const WriteLines& write)
{
    const int towers = store.towers();
    const auto columns = static_cast<std::size_t>(towers);
    write(gradientHeader(towers));
    GradientNoiseScale noiseScale;
    store.forEachGradient([&](const GradientRecord& record) {
        noiseScale.add(record);
        const GradientAgreement agreement = gradientAgreement(record);
        std::string rows = rowOf(record.step, agreement.whole, noiseScale.examples(), columns);
        for (const LayerAgreement& layer : agreement.layers) {
            rows += rowOf(record.step, layer, {}, columns);
        }
        write(rows);
    });
}

} // namespace

CsvText gradientsAsCsv(const RunStoreReader& store)
{
    return [&store](const WriteLines& write) { writeGradients(store, write); };
}

} // namespace lockstep
