// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/value_histogram.h"
#include "engine/config.h"
#include "engine/machines.h"
#include "engine/storage.h"
#include "models/figures/layer_table_model.h"

#include <QImage>
#include <QString>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What is wanted of a run's recorded weights.
struct LayerRequest
{
    std::filesystem::path folder; ///< of the run
    ModelSettings model;          ///< RunConfig::model
    std::int64_t batchPerTower = 0;
    std::string layer;     ///< empty: the first one with parameters
    bool isBiases = false; ///< instead of the weights
    /// Whose filters are wanted; nothing: those of the newest record.
    std::optional<std::int64_t> filterStep;
    /// On which the run is, whose event files are fetched; null: this one.
    std::shared_ptr<RemoteMachine> machine = nullptr;

    bool operator==(const LayerRequest&) const = default;
};

/// Shares of zeros among the activations of a layer, by ascending step.
struct SparsityCurve
{
    QString layer;
    std::vector<std::pair<std::int64_t, double>> shares;
};

/// What a run has recorded of its layers. A value; histograms are of one layer.
struct LayerPicture
{
    std::vector<LayerRow> layers;
    QString layer;
    std::vector<std::int64_t> steps; ///< of all records
    HistogramRow values;             ///< weights or biases
    HistogramRow gradients;
    HistogramRow activations;
    std::vector<SparsityCurve> sparsity;
    /// Of the first convolution, a pixel for each weight; none where they can't be looked at.
    std::vector<QImage> filters;
    std::int64_t filterStep = 0;
    QString problem; ///< why there is less than there could be; empty: nothing is wrong
};

/// Reads what LayerPicture holds from a run's event files, as they grow: records are opened once,
/// and of a long run every second, fourth, … one, so that there are at most kMostRecords and the
/// newest. One thread at a time.
class LayerReader
{
public:
    static constexpr std::size_t kMostRecords = 256;

    /// Nothing if it is the same as last time.
    [[nodiscard]] std::shared_ptr<const LayerPicture> read(const LayerRequest& request);

private:
    /// What is kept of a record.
    struct Record
    {
        /// Of values, gradients and activations; null: not recorded.
        std::array<std::shared_ptr<const ValueHistogram>, 3> histograms;
        std::vector<std::pair<std::string, double>> sparsity;
    };
    using PlaceKey = std::pair<std::size_t, std::uint64_t>; // file, offset

    void openRun(const LayerRequest& request);
    void fetchEvents();
    void updateRecords();
    [[nodiscard]] std::vector<EventPlace> chosenPlaces() const;
    [[nodiscard]] Record recordAt(const EventPlace& place) const;
    [[nodiscard]] std::shared_ptr<LayerPicture> picture() const;
    void addFilters(LayerPicture& picture) const;

    LayerRequest m_request;
    std::string m_layer; ///< the wanted one, or the first with parameters
    std::vector<LayerRow> m_rows;
    std::vector<std::int64_t> m_filterShape; ///< out, in, height, width; empty: none to look at
    std::optional<EventIndex> m_index;
    std::map<PlaceKey, Record> m_records;
    bool m_hasRead = false;
    std::chrono::steady_clock::time_point m_fetched; ///< when events were fetched last
};

} // namespace lockstep::ui
