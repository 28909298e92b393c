// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBuffer>
#include <QImage>

#include <string>

namespace lockstep::test {

/// As Qt writes it.
inline std::string pngOf(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toStdString();
}

} // namespace lockstep::test
