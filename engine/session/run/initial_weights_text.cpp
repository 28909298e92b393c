// SPDX-License-Identifier: Apache-2.0
// What people read of the weights that a network takes over.
#include "session/run/initial_weights.h"

#include "dataset/examples/class_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return fmt::format("{}", fmt::join(shape, "x"));
}

std::string unusedText(const InitialWeights& initial)
{
    return fmt::format("not used of the file: {}", someOf(initial.unused));
}

} // namespace

std::string InitialTensor::reason() const
{
    switch (kind) {
    case InitialTensorKind::OtherShape:
        return fmt::format("shape {} here, {} there", shapeText(shape), shapeText(shapeThere));
    case InitialTensorKind::Missing:
        return nameThere.empty() ? "not in the file" : "there of a type that is not read";
    case InitialTensorKind::Fresh:
        return "named in fresh_layers";
    case InitialTensorKind::Taken:
        break;
    }
    return "";
}

std::size_t InitialWeights::taken() const
{
    return static_cast<std::size_t>(std::ranges::count_if(tensors, &InitialTensor::isTaken));
}

bool InitialWeights::isLittle() const
{
    return 2 * taken() < tensors.size();
}

std::string InitialWeights::otherClasses(
    const NetworkSpec& network, const std::vector<std::string>& classes) const
{
    if (classNames.empty() || classNames == classes) {
        return "";
    }
    std::vector<std::string> heads;
    for (const Objective& objective : network.objectives) {
        const std::string& head =
            network.layers[static_cast<std::size_t>(sourceOf(objective))].name;
        const bool isTaken = std::ranges::any_of(tensors, [&](const InitialTensor& tensor) {
            return tensor.isTaken() && tensor.name.starts_with(head + ".");
        });
        if (isTaken && std::ranges::find(heads, head) == heads.end()) {
            heads.push_back(head);
        }
    }
    return heads.empty()
               ? ""
               : fmt::format(
                   "the outputs that are taken over mean {}, those of this run {}: to begin their "
                   "layer anew name it in initial_weights.fresh_layers: {}",
                   someOf(classNames), someOf(classes), fmt::join(heads, ", "));
}

std::string InitialWeights::summary() const
{
    const std::string origin =
        model.empty() ? ""
                      : fmt::format(
                          " ({}, step {}, {})", model, step,
                          weights == WeightsKind::Average ? "moving averages" : "raw weights");
    const std::size_t left = tensors.size() - taken();
    return fmt::format(
        "{} of {} tensors of {}{}{}{}", taken(), tensors.size(), file.string(), origin,
        prefix.empty() ? "" : fmt::format(", whose names begin with {}", prefix),
        left == 0 ? "" : fmt::format(", {} begin{} anew", left, left == 1 ? "s" : ""));
}

std::vector<std::string> InitialWeights::leftLines() const
{
    std::vector<std::string> lines;
    for (const InitialTensor& tensor : tensors) {
        if (!tensor.isTaken()) {
            lines.push_back(fmt::format("begins anew: {}: {}", tensor.name, tensor.reason()));
        }
    }
    if (!unused.empty()) {
        lines.push_back(unusedText(*this));
    }
    if (!pictures.empty()) {
        lines.push_back(pictures);
    }
    return lines;
}

std::string InitialWeights::text() const
{
    std::string text = summary();
    for (const InitialTensor& tensor : tensors) {
        text += fmt::format(
            "\n{} [{}]: {}", tensor.name, shapeText(tensor.shape),
            tensor.isTaken() ? "taken" : "begins anew, " + tensor.reason());
    }
    return unused.empty() ? text : text + "\n" + unusedText(*this);
}

} // namespace lockstep
