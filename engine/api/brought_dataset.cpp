// SPDX-License-Identifier: Apache-2.0
#include "api/brought_dataset.h"

#include "base/error.h"
#include "dataset/formats/catalog.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>

namespace lockstep {
namespace {

/// What the program's own data set throws is told of `what`.
template<class Call>
auto ask(std::string_view what, const Call& call)
{
    try {
        return call();
    } catch (const std::exception& error) {
        fail(ErrorCode::Data, "data set {}: {}", what, error.what());
    } catch (...) {
        fail(ErrorCode::Data, "data set {}: it threw no std::exception", what);
    }
}

DatasetInfo infoOf(const api::Dataset& source, Split split)
{
    const api::ImageShape shape = source.imageShape();
    DatasetInfo info;
    info.name = std::string(kProgramDatasets) + source.name();
    info.split = toString(split);
    info.imageShape = {shape.height, shape.width, shape.channels};
    info.pixelOrder = source.pixelOrder() == api::PixelOrder::Planar ? PixelOrder::Planar
                                                                     : PixelOrder::Interleaved;
    info.classNames = source.classNames();
    return info;
}

} // namespace

BroughtDataset::BroughtDataset(
    const api::Dataset& source, Split split, const std::function<bool()>& mayGoOn)
    : m_info(ask(toString(split), [&] { return infoOf(source, split); })),
      m_labels(static_cast<std::size_t>(
          std::max<std::int64_t>(0, ask(toString(split), [&] { return source.size(); }))))
{
    check();
    m_pixels.resize(m_labels.size() * bytes());
    for (std::int64_t index = 0; index < size(); ++index) {
        if (mayGoOn && !mayGoOn()) {
            fail(ErrorCode::Cancelled, "data set '{}': stopped before it was there", m_info.name);
        }
        take(source, index);
    }
}

void BroughtDataset::check() const
{
    const Shape& shape = m_info.imageShape;
    if (m_info.name == kProgramDatasets || m_labels.empty() || m_info.classNames.empty()
        || std::min({shape.height, shape.width, shape.channels}) < 1) {
        fail(
            ErrorCode::BadInput,
            "data set '{}' ({}): {} examples of {} in {} classes; it needs a name, and at least "
            "one of each",
            m_info.name, m_info.split, m_labels.size(), toString(shape), m_info.classNames.size());
    }
}

void BroughtDataset::take(const api::Dataset& source, std::int64_t index)
{
    const auto place = static_cast<std::size_t>(index);
    const auto pixels = std::span(m_pixels).subspan(place * bytes(), bytes());
    const int label =
        ask(fmt::format("'{}', {} example {}", m_info.name, m_info.split, index),
            [&] { return source.example(index, pixels); });
    if (label < 0 || label >= std::ssize(m_info.classNames)) {
        fail(
            ErrorCode::Data, "data set '{}', {} example {}: label {}, but there are {} classes",
            m_info.name, m_info.split, index, label, m_info.classNames.size());
    }
    m_labels[place] = label;
}

ExampleView BroughtDataset::example(std::int64_t index) const
{
    const auto place = static_cast<std::size_t>(index);
    return {std::span(m_pixels).subspan(place * bytes(), bytes()), m_labels[place]};
}

} // namespace lockstep
