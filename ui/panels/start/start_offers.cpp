// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/start_offers.h"

#include "panels/start/start_page.h"

#include <malloc.h>

#include <algorithm>
#include <thread>

namespace lockstep::ui {
namespace {

/// The processors' ceilings, measured once for all windows.
const HostCeilings& hostCeilings()
{
    static const HostCeilings ceilings =
        measureHostCeilings(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    return ceilings;
}

/// A preset in other words.
struct Tile
{
    const char* preset;
    QString title;
    QString text;
};

std::vector<Tile> tiles()
{
    return {
        {"first_look", StartPage::tr("First look"),
         StartPage::tr("Two towers learn drawn shapes. Needs no data: press Start and watch")},
        {"poisoned_tower", StartPage::tr("See a poisoned tower"),
         StartPage::tr("Break it on purpose: one of four towers gets random labels. Which "
                       "instrument finds it first?")},
        {"quick_cifar10", StartPage::tr("CIFAR-10"),
         StartPage::tr("The classic tutorial: ten kinds of photographs, two towers of 128")},
        {"segdecnet_defects", StartPage::tr("Find defects"),
         StartPage::tr(
             "SegDecNet marks cracks in generated surfaces, then decides. Needs no data")},
        {kPicturesPreset, StartPage::tr("Your own pictures…"),
         StartPage::tr(
             "Inception v3 on a folder with train and val, and in them a folder for each class")}};
}

} // namespace

std::vector<Preset> startOffers()
{
    std::vector<Preset> all = presets();
    std::ranges::move(ownPresets(), std::back_inserter(all));
    auto next = all.begin();
    for (const Tile& tile : tiles()) {
        const auto found =
            std::ranges::find(next, all.end(), QLatin1String(tile.preset), &Preset::name);
        found->title = tile.title;
        found->description = tile.text;
        std::rotate(next, found, found + 1);
        ++next;
    }
    return all;
}

std::vector<std::optional<RunEstimate>> estimatesOf(const std::vector<RunConfig>& configs)
{
    std::vector<std::optional<RunEstimate>> estimates;
    for (const RunConfig& config : configs) {
        estimates.push_back(estimateRun(config, hostCeilings()));
        malloc_trim(0); // what a plan took is not kept
    }
    return estimates;
}

} // namespace lockstep::ui
