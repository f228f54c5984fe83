#!/usr/bin/env python3
"""Writes the sample dumps that stand beside this script.

    make_fixtures.py            write blueguard.tar and blueguard-dump.tar.gz
    make_fixtures.py --check    compare them with what would be written; status 1 where they differ
    make_fixtures.py --list     print the members with their attributes

Only the standard library of Python 3.9 or later is needed. Two runs give the same bytes: times,
owners, salts and counters are fixed, nothing depends on the machine.

blueguard.tar is one app group container as `tar` on macOS archives it: every attribute stands
in a `LIBARCHIVE.xattr.` header (base64 without padding), in a `SCHILY.xattr.` header (raw), and
in an AppleDouble member `._name` just before its owner.

blueguard-dump.tar.gz holds two containers at their places on a device, with the two headers
but without AppleDouble members: as `COPYFILE_DISABLE=1 tar` writes it.
"""
import argparse
import base64
import gzip
import io
import os
import plistlib
import sqlite3
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

MARK = "com.apple.metadata:com_apple_backup_excludeItem"
IOS = b"com.apple.MobileBackup"
MACOS = plistlib.dumps("com.apple.backupd", fmt=plistlib.FMT_BINARY)
MTIME = 1767225600  # 2026-01-01T00:00:00Z
METADATA = ".com.apple.mobile_container_manager.metadata.plist"


# --- SQLite -------------------------------------------------------------------------------------

PAGE = 4096
# The library writes its own version number and a counter into the first page.
SQLITE_VERSION = 3040001


def pinned(database):
    """A database file whose counters and version number do not depend on who wrote it."""
    data = bytearray(database)
    struct.pack_into(">I", data, 24, 7)  # file change counter
    struct.pack_into(">I", data, 92, 7)  # version-valid-for: equal, or the page count is not used
    struct.pack_into(">I", data, 96, SQLITE_VERSION)
    data[18] = data[19] = 2  # read and write version 2: WAL
    return bytes(data)


def states(schema, first, second):
    """The bytes of a database after the first rows, and after the second ones too."""
    out = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.sqlite")
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA page_size = %d" % PAGE)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(schema)
        for rows in (first, second):
            connection.execute("BEGIN")
            for table, values in rows:
                marks = ",".join("?" * len(values))
                connection.execute("INSERT INTO %s VALUES (%s)" % (table, marks), values)
            connection.execute("COMMIT")
            with open(path, "rb") as file:
                out.append(pinned(file.read()))
        connection.close()
    return out


def checksum(data, s0, s1):
    """SQLite's WAL checksum over little-endian words."""
    for a, b in struct.iter_unpack("<II", data):
        s0 = (s0 + a + s1) & 0xFFFFFFFF
        s1 = (s1 + b + s0) & 0xFFFFFFFF
    return s0, s1


def write_ahead_log(old, new, salt):
    """A log that turns one state of a database into the next, as one committed transaction."""
    header = struct.pack(">IIIIII", 0x377F0682, 3007000, PAGE, 0, salt, salt ^ 0x5A5A5A5A)
    s0, s1 = checksum(header, 0, 0)
    out = [header, struct.pack(">II", s0, s1)]
    pages = [new[i:i + PAGE] for i in range(0, len(new), PAGE)]
    changed = [i for i, page in enumerate(pages) if page != old[i * PAGE:(i + 1) * PAGE]]
    for index in changed:
        commit = len(pages) if index == changed[-1] else 0
        head = struct.pack(">II", index + 1, commit)
        s0, s1 = checksum(head + pages[index], s0, s1)
        out += [head, header[16:24], struct.pack(">II", s0, s1), pages[index]]
    return b"".join(out)


# An index of zeros is one that the next connection rebuilds from the log.
SHARED_MEMORY = bytes(32768)


def family(schema, first, second, salt):
    """Database, log and index of a store that was copied while a connection was open."""
    old, new = states(schema, first, second)
    log = write_ahead_log(old, new, salt)
    wanted = count(new, None, first[0][0])
    if count(old, log, first[0][0]) != wanted or wanted != len(first) + len(second):
        raise SystemExit("the write-ahead log does not hold the newest rows")
    return old, log, SHARED_MEMORY


def count(database, log, table):
    """How many rows SQLite reads from a database and its log."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.sqlite")
        for suffix, data in (("", database), ("-wal", log)):
            if data is not None:
                with open(path + suffix, "wb") as file:
                    file.write(data)
        connection = sqlite3.connect(path)
        try:
            if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise SystemExit("the sample database is damaged")
            return connection.execute("SELECT count(*) FROM %s" % table).fetchone()[0]
        finally:
            connection.close()


def blueguard():
    def row(i):
        text = "visit %04d: https://site-%03d.example/page/%d, kept on this device only. " % (
            i, i * 37 % 211, i * 7919 % 1000)
        return ("visit", (i, 1767225600 + i * 61, text * 3))
    schema = "CREATE TABLE visit (id INTEGER PRIMARY KEY, time INTEGER, note TEXT)"
    return family(schema, [row(i) for i in range(366)], [row(i) for i in range(366, 380)],
                  0x626C7565)


def history():
    def row(i):
        return ("search", (i, "query %d" % i))
    schema = "CREATE TABLE search (id INTEGER PRIMARY KEY, text TEXT)"
    return family(schema, [row(i) for i in range(40)], [row(i) for i in range(40, 45)], 0x68697374)


def journal():
    def row(i):
        return ("entry", (i, "day %d" % i, "Nobody else reads this. " * (1 + i % 5)))
    schema = "CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT, body TEXT)"
    return family(schema, [row(i) for i in range(60)], [row(i) for i in range(60, 64)], 0x6A6F7572)


def http_cache():
    def row(i):
        return ("response", (i, "https://static.example/%d.png" % i))
    schema = "CREATE TABLE response (id INTEGER PRIMARY KEY, url TEXT)"
    return family(schema, [row(i) for i in range(12)], [row(i) for i in range(12, 14)], 0x63616368)


# --- The containers -----------------------------------------------------------------------------

class Member:
    """One member of an archive: a kind letter, a path, a body or target, attributes."""

    def __init__(self, kind, path, body=b"", target="", attributes=None):
        self.kind, self.path, self.body, self.target = kind, path, body, target
        self.attributes = attributes or {}


def directory(path, **attributes):
    return Member("d", path, attributes=named(attributes))


def file(path, body, **attributes):
    return Member("f", path, body, attributes=named(attributes))


def named(attributes):
    names = {"mark": MARK, "encoding": "com.apple.TextEncoding"}
    return {names[key]: value for key, value in attributes.items()}


def plist(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=True)


def metadata(identifier, content_class):
    return file(METADATA, plist({
        "MCMMetadataIdentifier": identifier, "MCMMetadataContentClass": content_class,
        "MCMMetadataUserIdentity": {"version": 1}}))


def store(path, parts, *marks):
    """A database with its two sidecars; the marks are for the three in turn."""
    marks = list(marks) + [None] * (3 - len(marks))
    for suffix, body, mark in zip(("", "-wal", "-shm"), parts, marks):
        yield file(path + suffix, body, mark=mark) if mark else file(path + suffix, body)


def group_container():
    only = "io.example.app.localonly"
    yield directory("")
    yield metadata("group.io.example.blueguard", 7)
    yield directory("Documents")
    yield from store("Documents/history.sqlite", history(), IOS)
    yield file("Documents/readme.txt", b"Shown in the Files app.\n", encoding=b"utf-8;134217984")
    yield directory("Library")
    yield directory("Library/Caches")
    yield directory("Library/Caches/io.example.app")
    yield file("Library/Caches/io.example.app/index.bin", bytes(range(256)) * 2)
    yield directory("Library/Preferences")
    yield file("Library/Preferences/group.io.example.blueguard.plist", plist({"launches": 12}))
    yield file("Library/cache.bin", b"cache\n", mark=MACOS)
    yield Member("l", "Library/latest.sqlite", target="../%s/blueguard.sqlite" % only)
    yield directory(only, mark=IOS)
    yield from store(only + "/blueguard.sqlite", blueguard())
    yield file(only + "/seed.bin", bytes((i * 167 + 13) & 255 for i in range(64)))
    yield Member("h", only + "/seed-current.bin", target=only + "/seed.bin")


def app_container():
    only = "Library/Application Support/io.example.app.localonly"
    yield directory("")
    yield metadata("io.example.app", 2)
    yield directory("Documents")
    yield directory("Documents/Inbox")
    yield file("Documents/Inbox/letter.txt", b"Opened from a mail.\n")
    yield file("Documents/draft.txt", b"An attribute without a value is no mark.\n", mark=b"")
    yield file("Documents/report.txt", b"The user's own document.\n")
    yield directory("Library")
    yield directory("Library/Application Support")
    yield directory("Library/Application Support/io.example.app")
    yield file("Library/Application Support/io.example.app/state.json", b'{"open": true}\n')
    yield Member("p", "Library/Application Support/io.example.app/default.realm.note")
    yield directory(only, mark=IOS)
    yield from store(only + "/journal.sqlite", journal())
    yield file(only + "/thumbnails.bin", bytes(512), mark=b"com.apple.backupd")
    yield directory("Library/Caches")
    yield from store("Library/Caches/Cache.db", http_cache())
    yield directory("Library/Preferences")
    yield file("Library/Preferences/io.example.app.plist", plist({"theme": "dark"}))
    yield directory("Library/SplashBoard")
    yield file("Library/SplashBoard/snapshot.ktx", bytes(128))
    yield directory("SystemData")
    yield directory("tmp")
    yield file("tmp/upload.part", bytes(100))


def moved(folder, members):
    """The members below another folder, with the folders that lead there."""
    for member in members:
        path = folder + "/" + member.path if member.path else folder
        target = folder + "/" + member.target if member.kind == "h" else member.target
        yield Member(member.kind, path, member.body, target, member.attributes)


def device():
    app = "Containers/Data/Application/7F4C2B1E-52A0-4D3B-9C61-0A5E8B7D1F23"
    group = "Containers/Shared/AppGroup/C0E1A7D4-3B92-4F58-8E17-6D2F90B3A845"
    for path in ("Containers", "Containers/Data", "Containers/Data/Application"):
        yield directory(path)
    yield from moved(app, app_container())
    for path in ("Containers/Shared", "Containers/Shared/AppGroup"):
        yield directory(path)
    yield from moved(group, group_container())


# --- Archives -----------------------------------------------------------------------------------

TYPES = {"f": b"0", "h": b"1", "l": b"2", "d": b"5", "p": b"6", "x": b"x"}


def octal(value, width):
    return b"%0*o \0" % (width - 2, value) if width < 12 else b"%0*o " % (width - 1, value)


def header(kind, name, size, mode, target=b""):
    prefix = b""
    if len(name) > 100:
        cut = name.find(b"/", len(name) - 101)
        prefix, name = name[:cut], name[cut + 1:]
    block = bytearray(512)

    def put(offset, data):
        block[offset:offset + len(data)] = data
    put(0, name)
    put(100, octal(mode, 8))
    put(108, octal(501, 8))
    put(116, octal(20, 8))
    put(124, octal(size, 12))
    put(136, octal(MTIME, 12))
    put(148, b" " * 8)
    put(156, TYPES[kind])
    put(157, target)
    put(257, b"ustar\00000")
    put(265, b"mobile")
    put(297, b"mobile")
    put(329, octal(0, 8))
    put(337, octal(0, 8))
    put(345, prefix)
    put(148, b"%06o\0 " % sum(block))
    return bytes(block)


def padded(data):
    return data + bytes(-len(data) % 512)


def record(key, value):
    """A pax record: its own length in decimal, a space, key=value, a newline."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest)
    while length != len(rest) + len(b"%d" % length):
        length = len(rest) + len(b"%d" % length)
    return b"%d" % length + rest


def attribute_records(attributes):
    out = b""
    for name, value in sorted(attributes.items()):
        text = base64.b64encode(value).rstrip(b"=")
        out += record(b"LIBARCHIVE.xattr." + name.encode(), text)
        out += record(b"SCHILY.xattr." + name.encode(), value)
    return out


def apple_double(attributes):
    """The AppleDouble file that holds nothing but attributes, as `copyfile` packs it."""
    places, data, offset = [], b"", 120
    for name, value in sorted(attributes.items()):
        places.append((name.encode() + b"\0", value))
        offset += (11 + len(name) + 1 + 3) & ~3
    start, table = offset, b""
    for name, value in places:
        at = start + len(data) if value else 0
        entry = struct.pack(">IIHB", at, len(value), 0, len(name)) + name
        table += entry + bytes(-len(entry) % 4)
        data += value
    total = start + len(data)
    head = struct.pack(">II16sH", 0x00051607, 0x00020000, b"Mac OS X        ", 2)
    head += struct.pack(">IIIIII", 9, 50, total - 50, 2, total, 0)
    head += bytes(32) + bytes(2)  # Finder info, padding
    head += b"ATTR" + struct.pack(">IIII12xHH", 0, total, start, len(data), 0, len(places))
    return head + table + data


def archive(members, base, doubles):
    out = []

    def add(kind, name, body=b"", target=b"", extended=b"", mode=0o644):
        if extended:
            folder, _, last = name.rstrip(b"/").rpartition(b"/")
            pax = (folder + b"/" if folder else b"") + b"PaxHeader/" + last
            out.append(header("x", pax[:155], len(extended), 0o644) + padded(extended))
        out.append(header(kind, name, len(body), mode, target) + padded(body))

    def at(path):
        return (base + path).encode()

    for member in members:
        name = at(member.path)
        if doubles and member.attributes:
            folder, _, last = name.rpartition(b"/")
            add("f", folder + b"/._" + last, apple_double(member.attributes))
        records = attribute_records(member.attributes)
        if member.kind == "d":
            add("d", name.rstrip(b"/") + b"/", extended=records, mode=0o755)
        elif member.kind == "l":
            add("l", name, target=member.target.encode(), mode=0o755)
        elif member.kind == "h":
            add("h", name, target=at(member.target))
        else:
            add(member.kind, name, member.body, extended=records)
    out.append(bytes(1024))
    data = b"".join(out)
    return data + bytes(-len(data) % 10240)


def compressed(data):
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()


def fixtures():
    yield "blueguard.tar", archive(group_container(), "./", doubles=True)
    yield "blueguard-dump.tar.gz", compressed(archive(device(), "", doubles=False))


def contents(name, data):
    # Compressors differ in the bytes they choose; what they hold does not.
    return gzip.decompress(data) if name.endswith(".gz") else data


def main():
    parser = argparse.ArgumentParser(description="Writes the sample dumps.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--list", action="store_true", help="print the members")
    options = parser.parse_args()
    if options.list:
        for title, members in (("blueguard.tar", group_container()),
                               ("blueguard-dump.tar.gz", device())):
            print(title)
            for member in members:
                marks = " ".join("{%s=%r}" % pair for pair in sorted(member.attributes.items()))
                print(" ", member.kind, member.path or ".", len(member.body), marks)
        return 0
    status = 0
    for name, data in fixtures():
        path = os.path.join(HERE, name)
        if not options.check:
            with open(path, "wb") as out:
                out.write(data)
            continue
        try:
            with open(path, "rb") as old:
                same = contents(name, old.read()) == contents(name, data)
        except OSError as error:
            print(error, file=sys.stderr)
            same = False
        if not same:
            print("%s differs from what make_fixtures.py writes" % name, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
