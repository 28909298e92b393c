// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::test {

/// JPEGs of every kind that libjpeg can write.
struct JpegMaker
{
    J_COLOR_SPACE given = JCS_RGB;                 ///< of the values
    J_COLOR_SPACE stored = JCS_YCbCr;              ///< in the file
    std::vector<std::array<int, 2>> sampling = {}; ///< horizontal, vertical; of each component
    std::vector<jpeg_scan_info> scans = {};        ///< progressive, if there are any
    bool isFromAdobe = true;                       ///< where there are inks
    std::string exif = {};                         ///< see exifOf

    [[nodiscard]] std::string write(
        const std::vector<std::uint8_t>& values, std::int64_t height, std::int64_t width) const
    {
        jpeg_compress_struct info{};
        jpeg_error_mgr errors{};
        info.err = jpeg_std_error(&errors);
        jpeg_create_compress(&info);
        unsigned char* data = nullptr;
        unsigned long size = 0;
        jpeg_mem_dest(&info, &data, &size);
        info.image_height = static_cast<JDIMENSION>(height);
        info.image_width = static_cast<JDIMENSION>(width);
        info.in_color_space = given;
        info.input_components = given == JCS_GRAYSCALE ? 1 : given == JCS_CMYK ? 4 : 3;
        jpeg_set_defaults(&info);
        jpeg_set_colorspace(&info, stored);
        jpeg_set_quality(&info, 97, TRUE);
        for (std::size_t c = 0; c < sampling.size(); ++c) {
            info.comp_info[c].h_samp_factor = sampling[c][0];
            info.comp_info[c].v_samp_factor = sampling[c][1];
        }
        if (!scans.empty()) {
            info.scan_info = scans.data();
            info.num_scans = static_cast<int>(scans.size());
        }
        info.write_Adobe_marker = isFromAdobe && info.num_components == 4 ? TRUE : FALSE;
        jpeg_start_compress(&info, TRUE);
        if (!exif.empty()) {
            const std::string segment = std::string("Exif\0\0", 6) + exif;
            jpeg_write_marker(
                &info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(segment.data()),
                static_cast<unsigned>(segment.size()));
        }
        const std::size_t rowValues = values.size() / static_cast<std::size_t>(height);
        while (info.next_scanline < info.image_height) {
            auto* row = const_cast<std::uint8_t*>(values.data() + info.next_scanline * rowValues);
            jpeg_write_scanlines(&info, &row, 1);
        }
        jpeg_finish_compress(&info);
        jpeg_destroy_compress(&info);
        std::string bytes(reinterpret_cast<char*>(data), size);
        std::free(data);
        return bytes;
    }
};

} // namespace lockstep::test
