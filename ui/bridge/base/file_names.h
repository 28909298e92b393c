// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>

#include <filesystem>

namespace lockstep::ui {

/// File names are bytes to the engine and texts to the window.
inline QString toQString(const std::filesystem::path& path)
{
    return QFile::decodeName(path.c_str());
}

/// The name of a file or folder without the way to it.
inline QString nameOf(const std::filesystem::path& path)
{
    return toQString(path.filename());
}

inline std::filesystem::path toPath(const QString& text)
{
    return QFile::encodeName(text).toStdString();
}

} // namespace lockstep::ui
