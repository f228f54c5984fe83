#!/usr/bin/env python3
"""Measures `audit` against the C floor and against the tools people use instead.

    run.py AUDIT [--full] [--files N] [--rounds N] [--cold] [--only SECTION…] [--place DIR] [--json FILE]

AUDIT is the built command (.build/release/audit). Trees are made once below --place (default:
/var/tmp/audit-bench) on a file system that keeps attributes, and found again by the next run.

Every round runs each contender once, in turn, as a whole process. A ratio is taken within a
round, against the contender named in the column "of"; the table shows medians. Reports go to a file
that does not exist yet: to free the blocks of an old one takes as long as a tenth of a run. First
of all the contenders' counts are compared with what the tree's maker says: a fast wrong answer
does not count. Status 1 where they disagree.

Sections: tree (the main table), flat, deep, archive, start, growth, and with --cold, cold
(needs a superuser: drops the kernel's caches before each run).
"""
import argparse
import gzip
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.join(HERE, "bin")
MARK = "user.com.apple.metadata:com_apple_backup_excludeItem"
SECTIONS = ["tree", "flat", "deep", "archive", "start", "growth"]
wrong = []


# --- Trees --------------------------------------------------------------------------------------

def tree(place, shape, files, *extra):
    """The path and the true counts of a tree, made if it is not there yet."""
    name = "-".join([shape, str(files)] + [str(x) for x in extra])
    path, note = os.path.join(place, name), os.path.join(place, name + ".json")
    if not os.path.exists(note):
        subprocess.run(["rm", "-rf", path], check=True)
        print("making %s …" % name, file=sys.stderr)
        made = subprocess.run([os.path.join(BIN, "tree"), shape, path, str(files)]
                              + [str(x) for x in extra], check=True, capture_output=True)
        with open(note, "wb") as out:
            out.write(made.stdout)
    with open(note) as file:
        return path, json.load(file)


def archives(place, path):
    """The tree as a pax archive with attributes, plain and compressed."""
    plain = path + ".tar"
    if not os.path.exists(plain):
        print("packing %s …" % path, file=sys.stderr)
        subprocess.run(["tar", "--xattrs", "--format=pax", "-cf", plain + ".part", "-C", path, "."],
                       check=True)
        os.rename(plain + ".part", plain)
    if not os.path.exists(plain + ".gz"):
        with open(plain, "rb") as source, gzip.open(plain + ".gz.part", "wb", 6) as out:
            shutil.copyfileobj(source, out, 1 << 20)
        os.rename(plain + ".gz.part", plain + ".gz")
    return plain, plain + ".gz"


# --- Counts -------------------------------------------------------------------------------------

def agree(what, found, wanted):
    if found != wanted:
        wrong.append("%s: found %s, wanted %s" % (what, found, wanted))


def summary(report):
    """The figures at the end of a report, without reading all of it."""
    with open(report, "rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - 16384))
        tail = file.read().decode("utf-8", "replace")
    at = tail.rindex('"summary"')
    return json.JSONDecoder().raw_decode(tail, tail.index("{", at))[0]


def check_audit(what, command, report, counts, truth):
    result = subprocess.run(command, capture_output=True)
    if result.returncode not in (0, 1):
        wrong.append("%s: status %d, %s" % (what, result.returncode, result.stderr[-200:]))
        return
    found = {word: n for word, n in summary(report)["counts"].items() if n}
    agree(what, found, {word: n for word, n in truth[counts].items() if n})


def lines(command):
    out = subprocess.run(command, capture_output=True).stdout
    return out.count(b"\n"), out


def check_tree(audit, path, truth, out):
    floor = subprocess.run([os.path.join(BIN, "floor"), "-j", "2", "-o", out, path],
                           capture_output=True, check=True)
    told = json.loads(floor.stderr)
    for key in ("files", "symlinks", "directories", "bytes"):
        agree("floor, " + key, told[key], truth[key])
    agree("floor, verdicts", told["marks"],
          {word: n for word, n in truth["marks"].items() if word != "outside-backup"})
    json_report = [audit, "-q", "-f", "json", "-o", out]
    check_audit("audit by marks alone", json_report + ["--location-rules", "none", path], out,
                "marks", truth)
    for jobs in ("1", "2", "5"):
        check_audit("audit --jobs " + jobs, json_report + ["--jobs", jobs, path], out,
                    "documented", truth)
    marked = truth["marks"]["self-marked"] + truth["marks"]["marked-and-covered"]
    marked += truth["markedDirectories"]
    for name, command in marks_only(path):
        # Some versions write a line for each mark, getfattr a block that starts with "# file".
        count, text = lines(command)
        found = text.count(b"# file: ") if name.startswith("getfattr") else count
        agree(name, found, marked)


def marks_only(path):
    """Tools that list marks and nothing else, where they are installed."""
    if shutil.which("bfs"):
        yield "bfs -xattrname", ["bfs", path, "-xattrname", MARK]
    if shutil.which("getfattr"):
        yield "getfattr -R -h -m", ["getfattr", "-R", "-h", "-m", "^" + re.escape(MARK) + "$", path]


# --- Time ---------------------------------------------------------------------------------------

def once(command, cold=False):
    if "-o" in command:
        report = command[command.index("-o") + 1]
        if os.path.exists(report):
            os.unlink(report)
    if cold:
        os.sync()
        with open("/proc/sys/vm/drop_caches", "w") as file:
            file.write("3")
    reader, writer = os.pipe()
    pid = os.posix_spawn(os.path.join(BIN, "once"), ["once"] + command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, writer, 3)])
    os.close(writer)
    with os.fdopen(reader) as stream:
        fields = stream.read().split()
    os.waitpid(pid, 0)
    return dict(wall=float(fields[0]), cpu=float(fields[1]) + float(fields[2]),
                peak=int(fields[3]) / 1024, status=int(fields[4]))


def measure(title, contenders, rounds, results, cold=False, warm=1):
    """Runs the contenders in turn and prints their table.

    A contender is a label, a command, and the labels of those it is compared with.
    """
    rows = {label: [] for label, _, _ in contenders}
    for turn in range(rounds + (0 if cold else warm)):
        for label, command, _ in contenders:
            result = once(command, cold)
            if result["status"] not in (0, 1):
                wrong.append("%s: %s ended with status %d" % (title, label, result["status"]))
            if cold or turn >= warm:
                rows[label].append(result)
    median = statistics.median
    print("\n### %s\n" % title)
    print("| program | wall ms | min | CPU ms | peak MiB | ratio | of |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for label, _, yardsticks in contenders:
        mine = rows[label]
        ratios = [median(a["wall"] / b["wall"] for a, b in zip(mine, rows[other]))
                  for other in yardsticks]
        print("| %s | %.1f | %.1f | %.1f | %.1f | %s | %s |" % (
            label, median(r["wall"] for r in mine) * 1e3, min(r["wall"] for r in mine) * 1e3,
            median(r["cpu"] for r in mine) * 1e3, max(r["peak"] for r in mine),
            "; ".join("%.2f" % ratio for ratio in ratios), "; ".join(yardsticks)))
    sys.stdout.flush()
    results[title] = rows
    return rows


def floor(path, out, *options):
    return [os.path.join(BIN, "floor"), *options, "-o", out, path]


def main_table(audit, path, out):
    def run(form, *options):
        return [audit, "-q", "-f", form, "-o", out, *options, path]
    both = ["audit json, 2 jobs", "audit text, 2 jobs"]
    yield "floor, 2 threads", floor(path, out, "-j", "2"), []
    yield "audit json, 2 jobs", run("json", "--jobs", "2"), ["floor, 2 threads"]
    yield "audit text, 2 jobs", run("text", "--jobs", "2"), ["floor, 2 threads"]
    yield "audit json, default jobs", run("json"), ["audit json, 2 jobs"]
    yield "floor -l, 2 threads", floor(path, out, "-l", "-j", "2"), ["floor, 2 threads"]
    yield "floor, 1 thread", floor(path, out, "-j", "1"), ["floor, 2 threads"]
    yield "audit json, 1 job", run("json", "--jobs", "1"), ["floor, 1 thread"]
    for name, command in marks_only(path):
        yield name, command, both
    yield "du -s", ["du", "-s", path], both


def main():
    parser = argparse.ArgumentParser(description="Measures audit against the floor and its peers.")
    parser.add_argument("audit")
    parser.add_argument("--full", action="store_true", help="a million files instead of 100,000")
    parser.add_argument("--files", type=int)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--only", nargs="+", choices=SECTIONS + ["cold"])
    parser.add_argument("--place", default="/var/tmp/audit-bench")
    parser.add_argument("--json", help="write every single measurement here")
    options = parser.parse_args()
    audit = os.path.abspath(options.audit)
    files = options.files or (1000000 if options.full else 100000)
    wanted = options.only or SECTIONS + (["cold"] if options.cold else [])
    place, results = options.place, {}
    os.makedirs(place, exist_ok=True)
    out = os.path.join(place, "report")
    subprocess.run(["make", "-s", "-C", HERE], check=True)

    version = subprocess.run([audit, "--version"], capture_output=True, text=True).stdout.strip()
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    print("%s at %s; %s; %d cores; Linux %s; load %.1f; %d rounds" % (
        version, commit or "no commit", platform.machine(), os.cpu_count(), platform.release(), os.getloadavg()[0],
        options.rounds))

    path, truth = tree(place, "app", files)
    if "tree" in wanted:
        check_tree(audit, path, truth, out)
        measure("Tree of %d files in %d directories, warm cache" % (
            truth["files"], truth["directories"]),
            list(main_table(audit, path, out)), options.rounds, results)
    for shape, count, extra in (("flat", 200000, []), ("deep", 100000, [1000])):
        if shape not in wanted:
            continue
        there, counts = tree(place, shape, count, *extra)
        check_tree(audit, there, counts, out) if shape == "flat" else None
        same_bytes(audit, there, out)
        measure("%s: %d files, %d levels" % (shape.capitalize(), counts["files"], counts["levels"]),
                [("floor, 2 threads", floor(there, out, "-j", "2"), []),
                 ("audit json, 2 jobs",
                  [audit, "-q", "-f", "json", "-o", out, "--jobs", "2", there],
                  ["floor, 2 threads"])], options.rounds, results)
    if "archive" in wanted and shutil.which("bsdtar"):
        there, counts = tree(place, "app", 100000, 1, 64)
        contenders = []
        for form, packed in zip(("plain", "gzip"), archives(place, there)):
            listed, _ = lines(["bsdtar", "-tf", packed])
            agree("bsdtar, " + form, listed, counts["entries"] + 1)
            check_audit("audit, " + form, [audit, "-q", "-f", "json", "-o", out, packed], out,
                        "documented", counts)
            contenders += [("bsdtar -tf, " + form, ["bsdtar", "-tf", packed], []),
                           ("audit json, " + form, [audit, "-q", "-f", "json", "-o", out, packed],
                            ["bsdtar -tf, " + form])]
        measure("Archive of %d entries" % counts["entries"], contenders, options.rounds, results)
    if "start" in wanted:
        small, _ = tree(place, "grid", 10, 1)
        measure("Start-up", [("true", ["true"], []),
                             ("audit --version", [audit, "--version"], ["true"]),
                             ("audit, 10 files", [audit, "-q", "-f", "json", "-o", out, small],
                              ["true"])], options.rounds * 3, results)
    if "growth" in wanted:
        sizes = [n for n in (10000, 30000, 100000, 300000, 1000000) if n <= files]
        contenders, entries = [], {}
        for size in sizes:
            there, counts = tree(place, "app", size)
            label = "%d files" % size
            entries[label] = counts["entries"]
            contenders.append((label, [audit, "-q", "-f", "json", "-o", out, "--jobs", "2", there],
                               []))
        rows = measure("Growth, audit json, 2 jobs", contenders, options.rounds, results)
        wall = {label: statistics.median(r["wall"] for r in rows[label]) for label in entries}
        labels = list(entries)
        print("\nEach further entry: " + ", ".join("up to %s %.2f µs" % (
            more, (wall[more] - wall[less]) / (entries[more] - entries[less]) * 1e6)
            for less, more in zip(labels, labels[1:])))
    if "cold" in wanted:
        contenders = [("floor, 8 threads", floor(path, out, "-j", "8"), []),
                      ("audit json, default jobs", [audit, "-q", "-f", "json", "-o", out, path],
                       ["floor, 8 threads"]),
                      ("audit text, default jobs", [audit, "-q", "-f", "text", "-o", out, path],
                       ["floor, 8 threads"])]
        for name, command in marks_only(path):
            contenders.append((name, command, ["audit json, default jobs"]))
        measure("Cold cache, tree of %d files" % truth["files"], contenders,
                min(options.rounds, 3), results, cold=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file)
    for line in wrong:
        print("DISAGREES: " + line, file=sys.stderr)
    print("\nCounts: " + ("%d disagree" % len(wrong) if wrong else "all contenders agree"))
    return 1 if wrong else 0


def same_bytes(audit, path, out):
    seen = set()
    for jobs in ("1", "2", "4", "7"):
        subprocess.run([audit, "-q", "-f", "json", "-o", out, "--jobs", jobs, path],
                       capture_output=True)
        seen.add(subprocess.run(["sha256sum", out], capture_output=True).stdout.split()[0])
    agree("different reports for different --jobs of %s" % path, len(seen), 1)


if __name__ == "__main__":
    sys.exit(main())
