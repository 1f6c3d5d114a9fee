#!/usr/bin/env python3
"""The packages of Rust that a build consists of, by Cargo.lock and their manifests.

    layer-manifest/dependencies.py sbom [TARGET]        a bill of materials, CycloneDX 1.6 in JSON
    layer-manifest/dependencies.py licences [TARGET]    the text THIRD-PARTY: licences of all that is linked in

TARGET is that of the build, by default the host's. An exit code of 1 and a message tell of a licence that nobody has looked at.
Needs cargo, and its registry for what it has not fetched yet. Same input, same bytes: the time of a bill is SOURCE_DATE_EPOCH
or that of the last commit.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Licences that let a library be linked, in any combination, given their texts.
KNOWN = {
    'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0',
    'Unicode-3.0', 'Unlicense', 'Zlib',
}
TEXTS = re.compile(r'(licen[cs]e|copying|unlicen[cs]e|notice)([-_.].*)?$', re.IGNORECASE)


def run(*words):
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def expression(package):
    """The licence as an SPDX expression: older manifests separate choices by a slash."""
    licence = re.sub(r'\s*/\s*', ' OR ', package['license'] or '')
    words = [word.strip('() ') for word in re.split(r' OR | AND ', licence)]
    unknown = [word for word in words if word not in KNOWN]
    if unknown:
        sys.exit(f'dependencies: {package["name"]} {package["version"]}: licence {unknown}: is it one that lets it be linked?')
    return licence


class Build:
    def __init__(self, target):
        version = dict(line.split(': ', 1) for line in run('rustc', '-vV').splitlines() if ': ' in line)
        self.rust = version['release']
        self.target = target or version['host']
        data = json.loads(run('cargo', 'metadata', '--locked', '--format-version', '1', '--filter-platform', self.target))
        self.packages = {package['id']: package for package in data['packages']}
        self.nodes = {node['id']: node for node in data['resolve']['nodes']}
        self.root = next(p for p in self.packages.values() if p['name'] == 'caldera')
        lock = tomllib.loads((ROOT / 'Cargo.lock').read_text())['package']
        self.digests = {(p['name'], p['version']): p.get('checksum') for p in lock}
        # Macros run in the compiler, and build scripts before it: nothing of them is linked.
        self.linked = self.reach({None}, macros=False)
        self.used = self.reach({None, 'build'}, macros=True)

    def needs(self, package, kinds):
        # Tests are no part of a build.
        return [dep['pkg'] for dep in self.nodes[package]['deps'] if any(k['kind'] in kinds for k in dep['dep_kinds'])]

    def reach(self, kinds, macros):
        found, todo = set(), [self.root['id']]
        while todo:
            package = todo.pop()
            is_macro = any('proc-macro' in target['kind'] for target in self.packages[package]['targets'])
            if package not in found and (macros or not is_macro):
                found.add(package)
                todo += self.needs(package, kinds)
        return found

    def sorted(self, ids):
        return sorted((self.packages[i] for i in ids), key=lambda p: (p['name'], p['version']))


def purl(package):
    return f'pkg:cargo/{package["name"]}@{package["version"].replace("+", "%2B")}'


def component(build, package):
    made = {
        'type': 'library',
        'bom-ref': purl(package),
        'name': package['name'],
        'version': package['version'],
        'description': (package['description'] or '').strip(),
        'scope': 'required' if package['id'] in build.linked else 'excluded',
        'licenses': [{'expression': expression(package)}],
        'purl': purl(package),
    }
    digest = build.digests.get((package['name'], package['version']))
    if digest:
        made['hashes'] = [{'alg': 'SHA-256', 'content': digest}]
    if package.get('repository'):
        made['externalReferences'] = [{'type': 'vcs', 'url': package['repository']}]
    return made


def sbom(build):
    date = int(os.environ.get('SOURCE_DATE_EPOCH') or run('git', 'log', '-1', '--format=%ct'))
    root = component(build, build.root)
    del root['scope'], root['purl']
    standard = {
        'type': 'library',
        'bom-ref': 'rust-standard-library',
        'name': 'rust-standard-library',
        'version': build.rust,
        'description': "Rust's standard library, of the toolchain that built it",
        'scope': 'required',
        'licenses': [{'expression': 'MIT OR Apache-2.0'}],
    }
    others = build.sorted(build.used - {build.root['id']})
    depends = [{
        'ref': purl(package),
        'dependsOn': sorted(purl(build.packages[i]) for i in set(build.needs(package['id'], {None, 'build'}))),
    } for package in [build.root] + others]
    depends[0]['dependsOn'].append(standard['bom-ref'])
    body = {
        'metadata': {
            'timestamp': datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ'),
            'component': root,
            'properties': [{'name': 'rust:target', 'value': build.target}],
        },
        'components': [component(build, package) for package in others] + [standard],
        'dependencies': depends,
    }
    # The same contents have the same number.
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    head = {'bomFormat': 'CycloneDX', 'specVersion': '1.6', 'serialNumber': f'urn:uuid:{serial}', 'version': 1}
    return json.dumps(head | body, indent=2, ensure_ascii=False)


def texts(package):
    """The texts of a package's licence: its own files; or Apache's, whose words are the same for all."""
    folder = pathlib.Path(package['manifest_path']).parent
    own = [path.read_text(errors='replace').strip() for path in sorted(folder.iterdir()) if TEXTS.match(path.name)]
    if own or 'Apache-2.0' not in package['license']:
        return own
    return [(ROOT / 'LICENSE-APACHE').read_text().strip()]


def licences(build):
    local = [p for p in build.packages.values() if p['source'] is None]
    lines = [
        "Packages of Rust that are linked into Caldera's library and command for " + build.target + ',',
        'and the texts of their licences. An equal text is printed once, behind all that have it.', '',
    ]
    by_text = {}
    for package in build.sorted(build.linked - {p['id'] for p in local}):
        found = texts(package)
        lines.append(f'{package["name"]} {package["version"]}: {expression(package)}')
        if not found:
            sys.exit(f'dependencies: {package["name"]} {package["version"]} has no text of its licence')
        for text in found:
            by_text.setdefault(text, []).append(package)
    lines.append(f"Rust's standard library {build.rust}: MIT OR Apache-2.0, copyright The Rust Project Developers")
    for text, packages in by_text.items():
        lines += ['', '-' * 78, ', '.join(f'{p["name"]} {p["version"]}' for p in packages), '', text]
    return '\n'.join(lines)


KINDS = {'sbom': sbom, 'licences': licences}

if __name__ == '__main__':
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1] not in KINDS:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        print(KINDS[sys.argv[1]](Build(sys.argv[2] if len(sys.argv) == 3 else None)))
    except subprocess.CalledProcessError as error:
        sys.exit(f'dependencies: {error}')
