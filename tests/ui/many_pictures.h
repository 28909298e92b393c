// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBuffer>
#include <QImage>

#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::ui {

/// Fills a folder with pictures of two classes, so many that to open them takes a while.
inline std::filesystem::path manyPictures(const std::filesystem::path& folder)
{
    constexpr int kEach = 1500;
    QImage picture(8, 8, QImage::Format_RGB32);
    picture.fill(Qt::gray);
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    picture.save(&file, "PNG");
    for (const char* const label : {"one", "two"}) {
        std::filesystem::create_directories(folder / label);
        for (int i = 0; i < kEach; ++i) {
            std::ofstream(folder / label / (std::to_string(i) + ".png"), std::ios::binary)
                << file.data().toStdString();
        }
    }
    return folder;
}

} // namespace lockstep::ui
