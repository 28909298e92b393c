// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base.h"

#include <QString>

#include <filesystem>

namespace lockstep::ui {

/// File names are bytes to the engine and texts to the window, which come back as they were
/// (toUtf8).
inline QString toQString(const std::filesystem::path& path)
{
    return QString::fromStdString(toUtf8(path.native()));
}

/// The name of a file or folder without the way to it.
inline QString nameOf(const std::filesystem::path& path)
{
    return toQString(path.filename());
}

inline std::filesystem::path toPath(const QString& text)
{
    return fromUtf8(text.toStdString());
}

} // namespace lockstep::ui
