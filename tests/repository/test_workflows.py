"""The workflows: pinned by hash, allowed little, nothing in them that cannot be run here."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAY_WRITE = {("pages", "deploy"): {"pages", "id-token"}, ("release", "publish"): {"contents"}}
PINNED = re.compile(r"uses: [\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
STEP = re.compile(r"make ([a-z-]+)(?: [A-Z]+=\S+)?")


def targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))


def complaints(text):
    """What is wrong with a workflow."""
    flow = yaml.safe_load(text)
    found = [
        f"not pinned by hash and version: {line.strip()}"
        for line in text.splitlines()
        if "uses:" in line and not PINNED.search(line)
    ]
    begins = flow[True]  # YAML 1.1 reads `on` as true
    for event in begins:
        if event not in ("push", "schedule", "workflow_dispatch"):
            found.append(f"begins with {event}, which others than maintainers may cause")
    if flow.get("permissions") != {}:
        found.append("jobs are allowed something by default")
    for job, each in flow["jobs"].items():
        written = {key for key, value in each["permissions"].items() if value == "write"}
        if not written <= MAY_WRITE.get((flow["name"], job), set()):
            found.append(f"{job} may write {sorted(written)}")
        for step in each["steps"]:
            found += _of_step(step, bool(written))
    return found


def _of_step(step, may_write):
    if "run" in step:
        call = STEP.fullmatch(step["run"])
        if not call or call.group(1) not in targets():
            yield f"no target of the Makefile: {step['run']}"
        if not may_write and "github.token" in str(step.get("env")):
            yield "a job that may not write has the token in its environment"
    elif "checkout" in step["uses"] and step["with"]["persist-credentials"] is not False:
        yield "checkout leaves its credentials behind"
    if "secrets." in str(step):
        yield "uses a secret"


def test_there_are_three_workflows():
    assert [file.stem for file in WORKFLOWS] == ["nightly", "pages", "release"]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_is_pinned_and_allowed_little(file):
    assert complaints(file.read_text(encoding="utf-8")) == []


CHANGES = {
    "not pinned": (r"@[0-9a-f]{40} # v7.0.1", "@v7"),
    "others than maintainers": (r"push:\n    branches: \[main\]", "pull_request_target:"),
    "by default": (r"permissions: \{\}", "permissions: write-all"),
    "build may write": (r"contents: read", "contents: write"),
    "no target of the Makefile: make bokk": ("run: make book", "run: make bokk"),
    "no target of the Makefile: make book; curl": (
        "run: make book",
        "run: make book; curl -s host",
    ),
    "credentials": (r"persist-credentials: false", "persist-credentials: true"),
    "secret": (r"path: _build/html", "path: ${{ secrets.TOKEN }}"),
}


@pytest.mark.parametrize(("complaint", "change"), CHANGES.items(), ids=CHANGES)
def test_a_careless_workflow_is_refused(complaint, change):
    text = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    careless, n = re.subn(change[0], change[1].replace("\\", r"\\"), text, count=1)
    assert n == 1
    assert any(complaint in each for each in complaints(careless))
