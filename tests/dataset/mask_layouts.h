// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/masked_files.h"
#include "dataset/png_files.h"

#include <fmt/core.h>

namespace lockstep::test {

/// A grey picture of 40 x 24, another one for each number, as PNG.
inline std::string greyPng(int number)
{
    QImage image(24, 40, QImage::Format_Grayscale8);
    const GrayImage smooth = smoothImage(40, 24, number);
    for (int y = 0; y < 40; ++y) {
        std::copy_n(smooth.pixels.begin() + y * 24, 24, image.scanLine(y));
    }
    return pngOf(image);
}

/// Its mask as PNG, with or without a square of 2 x 2 pixels.
inline std::string maskPng(bool isMarked)
{
    QImage mask(24, 40, QImage::Format_Grayscale8);
    mask.fill(0);
    for (int i = 0; isMarked && i < 4; ++i) {
        mask.setPixel(12 + i % 2, 20 + i / 2, qRgb(255, 255, 255));
    }
    return pngOf(mask);
}

/// As KolektorSDD2 has them: `train` and `test` with a picture and its mask each, every second one
/// defective.
inline Files kolektor2Files(int train, int test)
{
    Files files;
    for (int i = 0; i < train + test; ++i) {
        const std::string name = fmt::format("{}/{}", i < train ? "train" : "test", 10000 + i);
        files[name + ".png"] = greyPng(i);
        files[name + "_GT.png"] = maskPng(i % 2 == 1);
    }
    return files;
}

/// As MVTec AD has a category: `train` has good ones alone, masks lie in `ground_truth`.
inline Files mvtecFiles(int train, int good, int cracked)
{
    Files files;
    for (int i = 0; i < train; ++i) {
        files[fmt::format("bottle/train/good/{:03}.png", i)] = greyPng(i);
    }
    for (int i = 0; i < good; ++i) {
        files[fmt::format("bottle/test/good/{:03}.png", i)] = greyPng(train + i);
    }
    for (int i = 0; i < cracked; ++i) {
        files[fmt::format("bottle/test/crack/{:03}.png", i)] = greyPng(train + good + i);
        files[fmt::format("bottle/ground_truth/crack/{:03}_mask.png", i)] = maskPng(true);
    }
    return files;
}

} // namespace lockstep::test

Q_DECLARE_METATYPE(lockstep::test::Files)
