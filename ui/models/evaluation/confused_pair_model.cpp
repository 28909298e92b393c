// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/confused_pair_model.h"

#include "models/evaluation/class_image_model.h"

namespace lockstep::ui {

ConfusedPairModel::ConfusedPairModel(QObject* parent)
    : RowModel(
        parent, {{tr("Label"), tr("What the images are"),
                  [this](const ConfusedPair& pair) { return className(m_names, pair.label); }},
                 {tr("Taken for"), tr("What the network calls them"),
                  [this](const ConfusedPair& pair) { return className(m_names, pair.predicted); }},
                 {tr("Images"), tr("How many of them"), &ConfusedPair::images, wholeNumbers()},
                 {tr("Share"), tr("Of all images with this label"),
                  [](const ConfusedPair& pair) {
                      return static_cast<double>(pair.images) / static_cast<double>(pair.of);
                  },
                  percents(1)}})
{
}

void ConfusedPairModel::setPairs(std::vector<ConfusedPair> pairs, const QStringList& names)
{
    m_names = names;
    setRows(std::move(pairs));
}

} // namespace lockstep::ui
