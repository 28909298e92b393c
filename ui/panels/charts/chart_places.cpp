// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_places.h"

#include <iterator>

namespace lockstep::ui {
namespace {

/// Heights of the stack below which a chart is folded unless a person wants it: the strips that
/// compare the last tower with the mean go first, of which the title line says what most want to
/// know, then the throughput, so that the loss can still be read.
/// With charts of the objectives there are more to share it.
constexpr int kFoldBelow[] = {0, 520, 520, 520, 520, 330, 470, 700, 0};
/// Of the places that were kept before the objectives had charts: the loss, and those below them.
constexpr std::size_t kEarlierPlaces = std::size(kFoldBelow) - ChartPlaces::kObjectives;

} // namespace

/// The loss has half of it.
ChartPlaces::ChartPlaces() : places{{330}, {140}, {140}, {140}, {140}, {95}, {95}, {95}, {110}} {}

QByteArray ChartPlaces::toText() const
{
    QByteArray text;
    for (const Place& place : places) {
        text += (text.isEmpty() ? "" : " ") + QByteArray::number(place.height)
                + static_cast<char>(place.choice);
    }
    return text;
}

void ChartPlaces::readText(const QByteArray& text)
{
    const QList<QByteArray> words = text.split(' ');
    std::vector<Place> read;
    for (const QByteArray& word : words) {
        bool isNumber = false;
        const int height = word.chopped(word.isEmpty() ? 0 : 1).toInt(&isNumber);
        const char choice = word.isEmpty() ? ' ' : word.back();
        if (isNumber && height > 0 && (choice == 'a' || choice == 'o' || choice == 'f')) {
            read.push_back({height, static_cast<Choice>(choice)});
        }
    }
    if (read.size() == kEarlierPlaces) {
        read.insert(read.begin() + 1, places.begin() + 1, places.begin() + 1 + kObjectives);
    }
    if (read.size() == places.size()) {
        places = read;
    }
}

bool ChartPlaces::isFolded(std::size_t chart, int heightOfAll) const
{
    const Choice choice = places[chart].choice;
    return chart > 0
           && (choice == Choice::Folded
               || (choice == Choice::Automatic && heightOfAll < kFoldBelow[chart]));
}

bool ChartPlaces::givesWay(std::size_t chart) const
{
    return isFolded(chart, 0) && places[chart].choice == Choice::Automatic;
}

QList<int> ChartPlaces::heights() const
{
    QList<int> heights;
    for (const Place& place : places) {
        heights.append(place.height);
    }
    return heights;
}

} // namespace lockstep::ui
