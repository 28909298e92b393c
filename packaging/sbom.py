#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py VERSION FILE BINARY…: writes a bill of materials (SPDX 2.3, JSON) of the packages or archives beside FILE: each with its
checksum, and the Debian packages whose libraries the programs in them link or, in an archive, carry.

What they link is read from the binaries that were built. Two calls for one build write the same."""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def linked_files(binaries):
    """The libraries that the loader opens for the programs, theirs included."""
    lines = (line for binary in binaries for line in output("ldd", str(binary)).splitlines())
    return sorted({match[1] for line in lines if (match := re.search(r"=> (/\S+)", line))})


def debian_packages(files):
    """{package: version} of those that the files are of; NVIDIA's, which Debian has not, are left to the user."""
    found = {}
    for file in files:
        for name in (file, os.path.realpath(file), file.removeprefix("/usr")):
            owner = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True).stdout
            if owner:
                package = owner.split(":")[0]
                found[package] = output("dpkg-query", "-W", "-f", "${Version}\n", package).splitlines()[0]
                break
    return found


def licences(package):
    """What its copyright file declares, where that is in the form that programs can read."""
    text = Path(f"/usr/share/doc/{package}/copyright")
    lines = text.read_text(errors="replace").splitlines() if text.exists() else []
    return ", ".join(sorted({line[8:].strip() for line in lines if re.match(r"License: \S", line)}))


def package(name, version, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", **more}  # fmt: skip


def main(version, file, *binaries):
    made = [path for path in sorted(Path(file).parent.iterdir()) if path.suffix in (".deb", ".xz")]
    sums = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in made}
    packages = [
        package(path.name, version, licenseDeclared="Apache-2.0 AND GPL-3.0-or-later", packageFileName=path.name,
                checksums=[{"algorithm": "SHA256", "checksumValue": digest}]) for path, digest in sums.items()
    ]  # fmt: skip
    linked = debian_packages(linked_files(binaries))
    for name, its_version in sorted(linked.items()):
        purl = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"pkg:deb/debian/{name}@{its_version}"}  # fmt: skip
        packages.append(package(name, its_version, licenseComments=licences(name), externalRefs=[purl],
                                supplier="Organization: Debian"))  # fmt: skip
    about = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}
             for own in packages[: len(made)]]  # fmt: skip
    about += [{"spdxElementId": own["SPDXID"], "relationshipType": "DEPENDS_ON", "relatedSpdxElement": other["SPDXID"]}
              for own in packages[: len(made)] if "recorder" not in own["name"] for other in packages[len(made) :]]  # fmt: skip
    together = hashlib.sha256("".join(sums.values()).encode()).hexdigest()
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    Path(file).write_text(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"lockstep-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/lockstep-{version}-{together}",
        "creationInfo": {"created": when, "creators": ["Organization: The Lockstep team"]},
        "packages": packages, "relationships": about}, indent=1) + "\n")  # fmt: skip


main(*sys.argv[1:])
