"""Texts to plain mappings with line marks and limits, and back: YAML, JSON, `kubectl` dumps and descriptions, bundles.

`reading.read` takes anything somebody may paste; `documents.parse` YAML and JSON only; `bundle` scenarios and labs;
`writer.write` goes the other way. Everything a reader has to say is a code of `codes` with parameters and a place.
"""
