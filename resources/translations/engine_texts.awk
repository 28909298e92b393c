# SPDX-License-Identifier: Apache-2.0
# awk -f engine_texts.awk SOURCE… > engine_texts.h: the texts of the engine for a person, each once, as sources of
# translations. In the context "Engine" are literals of several words, their parts joined, that are neither SQL nor
# what require() says of a defect, and what a check() of a file names; in "Preflight" the names of the checks before
# the first step.

# Ends the literal that was read.
function endText() {
    words = text
    gsub(/\{[^}]*\}/, "", words)
    context = ""
    if (statement ~ /(^|[^A-Za-z])check\($/) {
        context = "Preflight"
    } else if (statement ~ /(^|[^A-Za-z:.])check\(/ || length(words) > 6 && words ~ / / && words ~ /[a-z][a-z]/ \
        && text !~ /(SELECT|INSERT|DELETE FROM|PRAGMA|WHERE|ORDER BY|GROUP BY|FROM|JOIN|AND) |^(branch|key|id), | = $/ \
        && statement !~ /(require|failInternally|static_assert)\(/) {
        context = "Engine"
    }
    if (text != "" && context != "" && !((context, text) in seen)) {
        seen[context, text] = 1
        print "    QT_TRANSLATE_NOOP(\"" context "\", \"" text "\"),"
    }
    text = ""
}

FNR == 1 {
    endText()
    statement = ""
}

/^[ \t]*#/ { next }

{
    rest = $0
    while (match(rest, /"([^"\\]|\\.)*"|'([^'\\]|\\.)'|\/\/.*|[^ \t]/)) {
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (token ~ /^"/) {
            text = text substr(token, 2, length(token) - 2)
        } else if (token !~ /^\/\//) {
            endText()
            statement = token ~ /^[;{}]/ ? "" : statement token
        }
    }
}

END { endText() }
