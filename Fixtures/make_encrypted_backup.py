#!/usr/bin/env python3
"""Makes Fixtures/encrypted-backup: a Finder backup of three rows, encrypted as iOS 10.2 and later do.

    Fixtures/make_encrypted_backup.py [DIRECTORY]

The password is `correct horse é` in UTF-8, composed. All keys are fixed and the rounds few: it is a
fixture and protects nothing. The same bytes come out each time. Needs the Python package
`cryptography` (Debian: python3-cryptography).
"""

import hashlib
import os
import plistlib
import sqlite3
import struct
import sys
import tempfile

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.keywrap import aes_key_wrap

PASSWORD = "correct horse \u00e9".encode()
FIRST, SECOND = 1000, 100
MARK = "com.apple.metadata:com_apple_backup_excludeItem"


def fixed(label, size=32):
    return hashlib.sha256(label.encode()).digest()[:size]


def field(tag, value):
    if isinstance(value, int):
        value = struct.pack(">I", value)
    return tag.encode() + struct.pack(">I", len(value)) + value


def key_bag():
    """The bag, and the keys of its classes."""
    first, second = fixed("first salt", 20), fixed("second salt", 20)
    key = hashlib.pbkdf2_hmac("sha256", PASSWORD, first, FIRST, 32)
    key = hashlib.pbkdf2_hmac("sha1", key, second, SECOND, 32)
    bag = field("VERS", 5) + field("TYPE", 1) + field("UUID", fixed("bag", 16))
    bag += field("HMCK", fixed("check", 40 - 8)) + field("WRAP", 1)
    bag += field("SALT", second) + field("ITER", SECOND)
    bag += field("DPWT", 1) + field("DPIC", FIRST) + field("DPSL", first)
    keys = {}
    # Classes 9 to 11 are locked with a key of the device as well.
    for number, wrap in [(1, 2), (2, 2), (3, 2), (4, 2), (6, 2), (9, 3)]:
        keys[number] = fixed("class %d" % number)
        bag += field("UUID", fixed("class uuid %d" % number, 16)) + field("CLAS", number)
        bag += field("WRAP", wrap) + field("KTYP", 0)
        bag += field("WPKY", aes_key_wrap(key, keys[number]))
    return bag, keys


def record(size, attributes):
    members = {"Size": size, "ProtectionClass": 3, "$class": plistlib.UID(2)}
    objects = ["$null", members, {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]}]
    if attributes:
        members["ExtendedAttributes"] = plistlib.UID(3)
        objects.append(plistlib.dumps(attributes, fmt=plistlib.FMT_BINARY))
    return plistlib.dumps(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$objects": objects,
         "$top": {"root": plistlib.UID(1)}}, fmt=plistlib.FMT_BINARY)


def database():
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "Manifest.db")
        base = sqlite3.connect(path)
        base.execute("PRAGMA page_size = 512")
        # Leaves the mark of a write-ahead log in the header, as real ones may have it.
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, "
                     "flags INTEGER, file BLOB)")
        domain = "AppDomain-org.example.notes"
        for path_in, flags, blob in [
                ("Documents", 2, record(0, {})), ("Documents/open.txt", 1, record(5, {})),
                ("Documents/secret.db", 1, record(7, {MARK: b"com.apple.backupd"}))]:
            name = hashlib.sha1(("%s-%s" % (domain, path_in)).encode()).hexdigest()
            base.execute("INSERT INTO Files VALUES (?, ?, ?, ?, ?)",
                         (name, domain, path_in, flags, blob))
        base.commit()
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        base.close()
        with open(path, "rb") as file:
            data = bytearray(file.read())
    # The version of SQLite that wrote it, and a counter.
    data[96:100] = struct.pack(">I", 3040001)
    return bytes(data)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    place = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "encrypted-backup")
    os.makedirs(place, exist_ok=True)
    bag, keys = key_bag()
    manifest_key = fixed("manifest")
    plain = database()
    size = 16 - len(plain) % 16
    cipher = Cipher(algorithms.AES(manifest_key), modes.CBC(bytes(16))).encryptor()
    parts = {
        "Manifest.db": cipher.update(plain + bytes([size]) * size) + cipher.finalize(),
        "Manifest.plist": plistlib.dumps(
            {"IsEncrypted": True, "BackupKeyBag": bag, "Version": "10.0",
             "Lockdown": {"ProductVersion": "17.5"},
             "ManifestKey": struct.pack("<I", 4) + aes_key_wrap(keys[4], manifest_key)},
            fmt=plistlib.FMT_BINARY),
        "Status.plist": plistlib.dumps(
            {"SnapshotState": "finished", "IsFullBackup": True}, fmt=plistlib.FMT_BINARY),
    }
    for name, data in parts.items():
        with open(os.path.join(place, name), "wb") as file:
            file.write(data)


main()
