// The functions of libarchive that audit calls, each of them a jump into the library.
//
// Linked in the ordinary way, libarchive is loaded by every run, with libxml2, ICU and seven
// more behind it: a quarter of the time it takes to start, and two megabytes, though trees need none
// of it. The compiler holds these functions against the library's own header.
#include "CArchiveCalls.h"

#if defined(__linux__)
#include <stddef.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Hidden, so that libarchive's calls of its own functions do not end here.
#pragma GCC visibility push(hidden)
#include <archive.h>
#include <archive_entry.h>
#pragma GCC visibility pop

// The name holds the version of the binary interface.
static const char library[] = "libarchive.so.13";
static void *handle;

const char *ca_load(void) {
  if (!handle) handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? NULL : dlerror();
}

static void *find(const char *name) {
  void *function = handle ? dlsym(handle, name) : NULL;
  if (!function) {
    fprintf(stderr, "audit: %s has no %s\n", library, name);
    abort();
  }
  return function;
}

#define CALL(result, name, parameters, arguments) \
  result name parameters {                        \
    static result(*function) parameters;          \
    if (!function) function = find(#name);        \
    return function arguments;                    \
  }
#define SUPPORT(what) CALL(int, archive_read_support_##what, (struct archive * a), (a))

CALL(struct archive *, archive_read_new, (void), ())
CALL(int, archive_read_free, (struct archive * a), (a))
CALL(const char *, archive_error_string, (struct archive * a), (a))
SUPPORT(filter_bzip2)
SUPPORT(filter_compress)
SUPPORT(filter_lz4)
SUPPORT(filter_lzip)
SUPPORT(filter_lzma)
SUPPORT(filter_xz)
SUPPORT(filter_zstd)
SUPPORT(format_7zip)
SUPPORT(format_cpio)
SUPPORT(format_raw)
SUPPORT(format_tar)
SUPPORT(format_xar)
SUPPORT(format_zip)
CALL(int, archive_read_set_format_option,
     (struct archive * a, const char *m, const char *o, const char *v), (a, m, o, v))
CALL(int, archive_read_set_callback_data, (struct archive * a, void *data), (a, data))
CALL(int, archive_read_set_read_callback, (struct archive * a, archive_read_callback *f), (a, f))
CALL(int, archive_read_set_skip_callback, (struct archive * a, archive_skip_callback *f), (a, f))
CALL(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback *f), (a, f))
CALL(int, archive_read_open1, (struct archive * a), (a))
CALL(la_int64_t, archive_filter_bytes, (struct archive * a, int n), (a, n))
CALL(int, archive_filter_count, (struct archive * a), (a))
CALL(int, archive_format, (struct archive * a), (a))
CALL(int, archive_read_has_encrypted_entries, (struct archive * a), (a))
CALL(la_int64_t, archive_read_header_position, (struct archive * a), (a))
CALL(int, archive_read_next_header, (struct archive * a, struct archive_entry **e), (a, e))
CALL(int, archive_read_next_header2, (struct archive * a, struct archive_entry *e), (a, e))
CALL(la_ssize_t, archive_read_data, (struct archive * a, void *buffer, size_t size),
     (a, buffer, size))
CALL(int, archive_read_data_block,
     (struct archive * a, const void **buffer, size_t *size, la_int64_t *offset),
     (a, buffer, size, offset))

CALL(struct archive_entry *, archive_entry_new2, (struct archive * a), (a))
CALL(void, archive_entry_free, (struct archive_entry * e), (e))
CALL(__LA_MODE_T, archive_entry_filetype, (struct archive_entry * e), (e))
CALL(const char *, archive_entry_pathname, (struct archive_entry * e), (e))
CALL(const char *, archive_entry_hardlink, (struct archive_entry * e), (e))
CALL(int, archive_entry_is_data_encrypted, (struct archive_entry * e), (e))
CALL(la_int64_t, archive_entry_size, (struct archive_entry * e), (e))
CALL(int, archive_entry_size_is_set, (struct archive_entry * e), (e))
CALL(int, archive_entry_xattr_reset, (struct archive_entry * e), (e))
CALL(int, archive_entry_xattr_next,
     (struct archive_entry * e, const char **name, const void **value, size_t *size),
     (e, name, value, size))
#else
// Linked in the ordinary way.
const char *ca_load(void) { return 0; }
#endif
