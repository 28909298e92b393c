// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace lockstep::ui {

/// What the engine says in English (errors, notes, the help of settings, reasons of devices), in
/// the language of the window. The build knows the engine's texts with the places of their
/// arguments; arguments are kept, and translated where they are texts of the engine themselves.
/// What is not known stays as it is. To be called when something is shown, not when it is decided
/// upon. Any thread.
QString engineText(std::string_view text);

} // namespace lockstep::ui
