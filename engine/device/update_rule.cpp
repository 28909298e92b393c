// SPDX-License-Identifier: Apache-2.0
#include "device/update_rule.h"

namespace lockstep {
namespace {

constexpr std::array kMomentumSlots{SlotSpec{"momentum", 0.0F}};
constexpr std::array kRmsPropSlots{SlotSpec{"mean_square", 1.0F}, SlotSpec{"momentum", 0.0F}};
constexpr std::array kAdamSlots{SlotSpec{"mean", 0.0F}, SlotSpec{"mean_square", 0.0F}};

} // namespace

std::span<const SlotSpec> slotsOf(UpdateKind kind)
{
    switch (kind) {
    case UpdateKind::Sgd:
        break;
    case UpdateKind::Momentum:
        return kMomentumSlots;
    case UpdateKind::RmsProp:
        return kRmsPropSlots;
    case UpdateKind::Adam:
    case UpdateKind::AdamW:
        return kAdamSlots;
    }
    return {};
}

} // namespace lockstep
