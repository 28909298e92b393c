// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/layer_reader.h"
#include "models/engine_text.h"

#include "engine/base.h"
#include "engine/evaluation.h"
#include "engine/network.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <variant>

namespace lockstep::ui {
namespace {

constexpr std::string_view kFilters = "/filters";
constexpr std::string_view kSparsity = kSparsitySuffix;
/// Comparing what is here with what is there takes both ends a moment.
constexpr std::chrono::seconds kFetchEvery{4};

/// The layers of a network, with so many examples a tower and step. Their sums are those of
/// `lockstep-train inspect`.
std::vector<LayerRow> layerRows(const NetworkSpec& network, std::int64_t batchPerTower)
{
    std::vector<LayerRow> rows;
    const std::vector<LayerCost> costs = layerCosts(network);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const Layer& layer = network.layers[i];
        const LayerCost& cost = costs[i];
        LayerRow row;
        row.name = QString::fromStdString(layer.name);
        row.kind = QString::fromStdString(kindName(layer.spec));
        row.shape = QStringLiteral("%1 × %2 × %3")
                        .arg(layer.shape.height)
                        .arg(layer.shape.width)
                        .arg(layer.shape.channels);
        row.hasParameters = !layer.parameters.empty();
        row.parameters = cost.parameterElements;
        row.weightBytes = cost.parameterBytes;
        row.activationBytes = cost.activationBytes * batchPerTower;
        row.forwardFlop = cost.fpropFlop;
        row.backwardFlop = cost.dgradFlop + cost.wgradFlop;
        rows.push_back(row);
    }
    return rows;
}

/// The filters of a recorded sheet, a pixel for each weight; none if it is another network's.
std::vector<QImage> filtersOn(const QImage& sheet, const std::vector<std::int64_t>& shape)
{
    if (shape.empty()) {
        return {};
    }
    const FilterSheetPlan plan(shape);
    std::vector<QImage> filters;
    for (std::int64_t number = 0; number < shape[0]; ++number) {
        const QPoint corner(
            static_cast<int>(number % plan.columns * plan.stepX),
            static_cast<int>(number / plan.columns * plan.stepY));
        QImage filter(static_cast<int>(shape[3]), static_cast<int>(shape[2]), QImage::Format_RGB32);
        for (int y = 0; y < filter.height(); ++y) {
            for (int x = 0; x < filter.width(); ++x) {
                const QPoint at = corner + QPoint(x, y) * static_cast<int>(FilterSheetPlan::kCell);
                if (!sheet.valid(at)) {
                    return {};
                }
                filter.setPixel(x, y, sheet.pixel(at));
            }
        }
        filters.push_back(filter);
    }
    return filters;
}

void addSparsity(
    LayerPicture& picture, std::int64_t step,
    const std::vector<std::pair<std::string, double>>& shares)
{
    for (const auto& [name, share] : shares) {
        const QString layer = QString::fromStdString(name);
        auto curve = std::ranges::find(picture.sparsity, layer, &SparsityCurve::layer);
        if (curve == picture.sparsity.end()) {
            curve = picture.sparsity.insert(curve, SparsityCurve{layer, {}});
        }
        curve->shares.emplace_back(step, share);
    }
}

} // namespace

std::shared_ptr<const LayerPicture> LayerReader::read(const LayerRequest& request)
{
    const bool isSame = m_hasRead && request == m_request;
    QString problem;
    try {
        if (!m_hasRead || request.folder != m_request.folder || request.model != m_request.model
            || request.batchPerTower != m_request.batchPerTower) {
            openRun(request);
        }
        const auto first = std::ranges::find_if(m_rows, &LayerRow::hasParameters);
        const std::string layer = !request.layer.empty() || first == m_rows.end()
                                      ? request.layer
                                      : first->name.toStdString();
        if (layer != m_layer || request.isBiases != m_request.isBiases) {
            m_records.clear();
        }
        m_layer = layer;
        m_request = request;
        m_hasRead = true;
        fetchEvents();
        if (!m_index->update() && isSame) {
            return nullptr;
        }
        updateRecords();
    } catch (const std::exception& error) {
        m_hasRead = false; // all is read anew next time
        problem = engineText(error.what());
    }
    const auto made = picture();
    if (!problem.isEmpty()) {
        made->problem = problem;
    }
    return made;
}

/// What a lost line keeps from coming comes once it is back.
void LayerReader::fetchEvents()
{
    const auto& machine = m_request.machine;
    const auto now = std::chrono::steady_clock::now();
    if (!machine || now - m_fetched < kFetchEvery) {
        return;
    }
    m_fetched = now;
    try {
        const std::string run = machine->runOf(m_request.folder);
        for (const std::string& file : machine->eventFiles(run)) {
            machine->fetch(run, file);
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Io) {
            throw;
        }
    }
}

void LayerReader::openRun(const LayerRequest& request)
{
    m_fetched = {};
    m_records.clear();
    m_rows.clear();
    m_layer.clear();
    m_index.emplace(RunFolder::eventsOf(request.folder));
    const NetworkSpec network = makeNetwork(request.model);
    m_rows = layerRows(network, request.batchPerTower);
    const std::optional<int> visible = visibleFilters(network);
    m_filterShape = visible ? network.parameters[static_cast<std::size_t>(*visible)].shape
                            : std::vector<std::int64_t>();
}

/// Each one whose number is a multiple of the least power of two that leaves few enough, so that
/// those that were chosen stay so; and the newest.
std::vector<EventPlace> LayerReader::chosenPlaces() const
{
    const std::vector<EventPlace>& all = m_index->places();
    std::size_t stride = 1;
    while (all.size() > stride * kMostRecords) {
        stride *= 2;
    }
    std::vector<EventPlace> chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % stride == 0 || i + 1 == all.size()) {
            chosen.push_back(all[i]);
        }
    }
    return chosen;
}

void LayerReader::updateRecords()
{
    std::map<PlaceKey, Record> records;
    for (const EventPlace& place : chosenPlaces()) {
        const PlaceKey key{place.file, place.offset};
        const auto known = m_records.find(key);
        records.emplace(key, known != m_records.end() ? known->second : recordAt(place));
    }
    m_records = std::move(records);
}

LayerReader::Record LayerReader::recordAt(const EventPlace& place) const
{
    const std::string values = m_layer + (m_request.isBiases ? "/biases" : "/weights");
    const std::array tags{values, values + "/gradients", m_layer + "/activations"};
    const EventRecord event = m_index->read(place);
    Record record;
    for (const EventValue& value : event.values) {
        if (const auto* histogram = std::get_if<Histogram>(&value.value)) {
            const auto kind = std::ranges::find(tags, value.tag) - tags.begin();
            if (kind < std::ssize(tags)) {
                record.histograms[kind] =
                    std::make_shared<const ValueHistogram>(ValueHistogram{*histogram, event.step});
            }
        } else if (const auto* share = std::get_if<double>(&value.value)) {
            if (value.tag.ends_with(kSparsity)) {
                record.sparsity.emplace_back(
                    value.tag.substr(0, value.tag.size() - kSparsity.size()), *share);
            }
        }
    }
    return record;
}

std::shared_ptr<LayerPicture> LayerReader::picture() const
{
    auto made = std::make_shared<LayerPicture>();
    made->layers = m_rows;
    made->layer = QString::fromStdString(m_layer);
    if (!m_index) {
        return made;
    }
    const std::array rows{&made->values, &made->gradients, &made->activations};
    for (const EventPlace& place : m_index->places()) {
        made->steps.push_back(place.step);
        const auto known = m_records.find({place.file, place.offset});
        if (known != m_records.end()) {
            for (std::size_t kind = 0; kind < rows.size(); ++kind) {
                if (known->second.histograms[kind]) {
                    rows[kind]->push_back(known->second.histograms[kind]);
                }
            }
            addSparsity(*made, place.step, known->second.sparsity);
        }
    }
    try {
        addFilters(*made);
    } catch (const Error& error) {
        made->problem = engineText(error.what());
    }
    return made;
}

void LayerReader::addFilters(LayerPicture& picture) const
{
    const std::vector<EventPlace>& places = m_index->places();
    if (places.empty()) {
        return;
    }
    const auto wanted = m_request.filterStep
                            ? std::ranges::find(places, *m_request.filterStep, &EventPlace::step)
                            : places.end();
    const EventPlace& place = wanted == places.end() ? places.back() : *wanted;
    picture.filterStep = place.step;
    for (const EventValue& value : m_index->read(place).values) {
        const auto* image = std::get_if<PngImage>(&value.value);
        if (image != nullptr && value.tag.ends_with(kFilters)) {
            picture.filters = filtersOn(
                QImage::fromData(
                    reinterpret_cast<const uchar*>(image->bytes.data()),
                    static_cast<int>(image->bytes.size())),
                m_filterShape);
        }
    }
}

} // namespace lockstep::ui
