# SPDX-License-Identifier: Apache-2.0

"""sbom.py PREFIX VERSION COMMIT EPOCH: prints what the installation at PREFIX is linked with and compiled with, as SPDX 2.3
in JSON. EPOCH, seconds since 1970, is when it was made."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import components
import installation


def package(component: components.Component) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "SPDXID": f"SPDXRef-{component.name}",
        "name": component.name,
        "versionInfo": component.version(),
        "downloadLocation": "NOASSERTION",
        "homepage": component.home,
        "filesAnalyzed": False,
        "licenseConcluded": component.license,
        "licenseDeclared": component.license,
        "copyrightText": "NOASSERTION",
        "supplier": "NOASSERTION",
    }
    debian = component.package()
    if debian is not None:
        entry["comment"] = f"Debian's package {debian}"
    return entry


def extracted_licenses(used: list[components.Component]) -> list[dict[str, str]]:
    return [
        {"licenseId": work.license, "name": work.name, "extractedText": work.license_text()}
        for work in used
        if work.license.startswith("LicenseRef-")
    ]


def document(prefix: Path, version: str, commit: str, epoch: int) -> dict[str, Any]:
    works = installation.works_of(prefix)
    backends = components.backends_of(installation.settings_of(prefix))
    root = {
        "SPDXID": "SPDXRef-Millrace",
        "name": "millrace",
        "versionInfo": version,
        "sourceInfo": f"commit {commit or 'not known'}; backends: {', '.join(backends)}",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "supplier": "NOASSERTION",
    }
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Millrace")]
    for work in works.all():
        kind = "DYNAMIC_LINK" if work.name in works.dynamic else "STATIC_LINK"
        relations.append(("SPDXRef-Millrace", kind, f"SPDXRef-{work.name}"))
    made = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    result: dict[str, Any] = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"millrace-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/millrace-{version}-{commit[:12] or 'unknown'}",
        "creationInfo": {"created": made, "creators": ["Tool: millrace-tools-release"]},
        "packages": [root, *(package(work) for work in works.all())],
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations
        ],
    }
    texts = extracted_licenses(works.all())
    if texts:
        result["hasExtractedLicensingInfos"] = texts
    return result


if __name__ == "__main__":
    if len(sys.argv) != 5:
        raise SystemExit("usage: sbom.py PREFIX VERSION COMMIT EPOCH")
    print(json.dumps(document(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])), indent=2))
