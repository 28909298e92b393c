/* SPDX-License-Identifier: Apache-2.0
   Writes a valid rank file: cc rank_file.c -lz && ./a.out rank-0000.lsr. For little-endian machines. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

static FILE *file;
static void frame(uint8_t kind, const void *rest, uint32_t size) {
    uint8_t payload[4096] = {kind};
    memcpy(payload + 1, rest, size);
    uint32_t head[3] = {0x524b534c, size + 1, crc32(0, payload, size + 1)}; /* "LSKR" */
    fwrite(head, 4, 3, file);
    fwrite(payload, 1, size + 1, file);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}
int main(int count, char **arguments) {
    if (count != 2 || !(file = fopen(arguments[1], "ab"))) return 1;
    char text[256];
    frame(1, text, snprintf(text, sizeof text, "{\"format\": 1, \"rank\": 0, \"ranks\": 1, \"clock\": \"here\", "
        "\"time\": %lld, \"nanoseconds\": %lld}", (long long)time(NULL), (long long)now()));
    int64_t begin = now();
    for (int64_t step = 0; step < 10; ++step) {
        struct { int64_t number, begin, forward, backward, arrival, done, end, waited, examples, correct;
                 double loss, rate; uint32_t sums, zero; } s = {step, begin, now(), now(), now(), now(), now(), 0,
                 32, -1, 1.0 / (step + 1), 0.1, 0, 0};
        uint8_t rest[7 + sizeof s] = {1}; /* the loss is told */
        memcpy(rest + 7, &s, sizeof s);
        frame(2, rest, sizeof rest);
        begin = s.end;
    }
    frame(5, "{\"state\": \"finished\"}", 21);
    return fclose(file) != 0;
}
