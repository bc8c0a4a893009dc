"""The description of an export for machines, by MLCommons' Croissant 1.0 (http://mlcommons.org/croissant/1.0)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from evaluation.exports.declared import JSON, MOMENT, NUMBER, TEXT, WHOLE, YES_NO

if TYPE_CHECKING:
    from evaluation.exports.card import About
    from evaluation.exports.formats import File
    from evaluation.exports.writing import Written

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "equivalentProperty": "cr:equivalentProperty",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

TYPES = {
    TEXT: "sc:Text",
    JSON: "sc:Text",
    WHOLE: "sc:Integer",
    NUMBER: "sc:Float",
    YES_NO: "sc:Boolean",
    MOMENT: "sc:DateTime",
}

CSV = "text/csv"


def text(about: About, written: Written) -> str:
    """The file."""
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "magic-table-matches",
        "description": f"Matches of games of hidden roles and mixed motives. {about.choice}",
        "datePublished": about.made_at.date().isoformat(),
        "version": "1.0.0",
        "url": f"urn:uuid:{about.id}",
        "citeAs": f"Matches of Magic Table, export {about.id}, {about.made_at:%Y-%m-%d}",
        "license": about.licence or "not named",
        "distribution": [_object(file) for file in written.files],
        "recordSet": [_records(file) for file in written.files if file.media == CSV],
    }
    return json.dumps(described, indent=2, ensure_ascii=False)


def _object(file: File) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": file.media,
        "sha256": file.sha256,
    }


def _records(file: File) -> dict[str, Any]:
    collection = file.collection
    assert collection is not None  # noqa: S101 (for the type checker: every CSV file has one)
    return {
        "@type": "cr:RecordSet",
        "@id": collection.name,
        "name": collection.name,
        "description": collection.about,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{collection.name}/{column.name}",
                "name": column.name,
                "description": column.about,
                "dataType": TYPES[column.type],
                "source": {"fileObject": {"@id": file.name}, "extract": {"column": column.name}},
            }
            for column in collection.columns
        ],
    }
