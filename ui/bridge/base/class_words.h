// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace lockstep::ui {

/// What a person calls a class: of ImageNet's thousand, which folders name by their WordNet id
/// ("n01440764"), the English name ("tench"); any other is called what it is called. Any thread.
QString classWords(const std::string& name);

} // namespace lockstep::ui
