#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py VERSION FILE: writes a bill of materials (SPDX 2.3, JSON) of the packages and archives beside FILE: each with its
checksum, and the Debian packages that it depends on or, an archive, carries libraries of, as they are on this machine. Two
calls for one build write the same."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def depends(deb):
    """The packages that it names, the first of alternatives."""
    return [re.match(r"[\w.+-]+", part)[0] for part in output("dpkg-deb", "-f", str(deb), "Depends").strip().split(", ") if part]


def carried(archive):
    """The packages that its libraries are of; our own are of none."""
    with tarfile.open(archive) as tar:
        names = {Path(name).name for name in tar.getnames() if ".so" in Path(name).name}
    owners = (subprocess.run(["dpkg-query", "-S", f"*/{name}"], capture_output=True, text=True).stdout for name in sorted(names))
    return [owner.split(":")[0] for owner in owners if owner]


def version_here(name):
    """None for a package that is not Debian's or not installed."""
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", name], capture_output=True, text=True).stdout
    return found.splitlines()[0] if found.strip() else None


def licences(package):
    """What its copyright file declares, where that is in the form that programs can read."""
    text = Path(f"/usr/share/doc/{package}/copyright")
    lines = text.read_text(errors="replace").splitlines() if text.exists() else []
    return ", ".join(sorted({line[8:].strip() for line in lines if re.match(r"License: \S", line)}))


def package(name, version, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", **more}  # fmt: skip


def main(version, file):
    made = [path for path in sorted(Path(file).parent.iterdir()) if path.suffix in (".deb", ".xz")]
    sums = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in made}
    own = [
        package(path.name, version, licenseDeclared="Apache-2.0 AND GPL-3.0-or-later", packageFileName=path.name,
                checksums=[{"algorithm": "SHA256", "checksumValue": digest}]) for path, digest in sums.items()
    ]  # fmt: skip
    others = {}
    about = [("SPDXRef-DOCUMENT", "DESCRIBES", product["SPDXID"]) for product in own]
    for path, product in zip(made, own):
        relation, names = ("DEPENDS_ON", depends(path)) if path.suffix == ".deb" else ("CONTAINS", carried(path))
        for name in sorted(set(names)):
            if its_version := version_here(name):
                purl = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                        "referenceLocator": f"pkg:deb/debian/{name}@{its_version}"}  # fmt: skip
                others[name] = package(name, its_version, licenseComments=licences(name), externalRefs=[purl],
                                       supplier="Organization: Debian")  # fmt: skip
                about.append((product["SPDXID"], relation, others[name]["SPDXID"]))
    together = hashlib.sha256("".join(sums.values()).encode()).hexdigest()
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    Path(file).write_text(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"lockstep-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/lockstep-{version}-{together}",
        "creationInfo": {"created": when, "creators": ["Organization: The Lockstep team"]},
        "packages": own + [others[name] for name in sorted(others)],
        "relationships": [{"spdxElementId": of, "relationshipType": relation, "relatedSpdxElement": to}
                          for of, relation, to in about]}, indent=1) + "\n")  # fmt: skip


main(*sys.argv[1:])
