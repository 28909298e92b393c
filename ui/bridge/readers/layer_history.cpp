// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/layer_history.h"

namespace lockstep::ui {

LayerHistory::LayerHistory(QObject* parent)
    : QObject(parent),
      m_reading(
          *this, [this](const LayerRequest& request) { return m_reader.read(request); },
          [this](const auto& request, const auto& picture) { emit arrived(request, picture); })
{
}

} // namespace lockstep::ui
