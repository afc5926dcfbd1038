# SPDX-License-Identifier: Apache-2.0

"""Checks whether files conform to a JSON Schema: validate.py SCHEMA FILE...

Prints each violation with its location. Exit status: 0 where all files conform, 1 where one does not, 3 without jsonschema.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(3)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(schema_path, *paths):
    schema = load(schema_path)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    violations = 0
    for path in paths:
        for error in validator.iter_errors(load(path)):
            location = "/".join(str(key) for key in error.absolute_path)
            print(f"{path}: {location}: {error.message}")
            violations += 1
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
