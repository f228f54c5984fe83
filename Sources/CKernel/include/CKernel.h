// Kernel calls that Swift's Glibc overlay does not show, as thin inline functions. No logic here.
// Numbers and structures: Linux uapi (getdents64, openat2, statx, getxattrat, listxattrat).
#pragma once

#if defined(__linux__)
#include <stddef.h>
#include <stdint.h>
#include <linux/landlock.h>
#include <linux/stat.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#define CK_NR_GETXATTRAT 464
#define CK_NR_LISTXATTRAT 465
#define CK_NR_OPENAT2 437

#define CK_RESOLVE_NO_XDEV 0x01
#define CK_RESOLVE_NO_MAGICLINKS 0x02
#define CK_RESOLVE_NO_SYMLINKS 0x04
#define CK_RESOLVE_BENEATH 0x08

// linux/fcntl.h, which cannot be included beside the C library's fcntl.h.
#define CK_AT_SYMLINK_NOFOLLOW 0x100
#define CK_AT_NO_AUTOMOUNT 0x800
#define CK_AT_STATX_DONT_SYNC 0x4000

struct ck_xattr_args {
  uint64_t value;
  uint32_t size;
  uint32_t flags;
};

struct ck_open_how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

static inline ssize_t ck_getdents64(int fd, void *buffer, size_t size) {
  return syscall(SYS_getdents64, fd, buffer, size);
}

static inline ssize_t ck_listxattrat(
    int fd, const char *path, unsigned flags, char *list, size_t size) {
  return syscall(CK_NR_LISTXATTRAT, fd, path, flags, list, size);
}

static inline ssize_t ck_getxattrat(
    int fd, const char *path, unsigned flags, const char *name, void *value, size_t size) {
  struct ck_xattr_args args = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
  return syscall(CK_NR_GETXATTRAT, fd, path, flags, name, &args, sizeof args);
}

static inline int ck_statx(
    int fd, const char *path, int flags, unsigned mask, struct statx *out) {
  return (int)syscall(SYS_statx, fd, path, flags, mask, out);
}

static inline int ck_openat2(
    int fd, const char *path, uint64_t flags, uint64_t resolve) {
  struct ck_open_how how = {flags, 0, resolve};
  return (int)syscall(CK_NR_OPENAT2, fd, path, &how, sizeof how);
}

// posix_spawn_file_actions_addclosefrom_np(3), which only GNU headers show.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// prctl(2): SIGKILL for this process when the thread that started it is gone.
static inline int ck_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0); }

// prctl(2): nothing that is executed gains rights; Landlock asks for it.
static inline int ck_refuse_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// landlock(7): a rule set that handles all rights of the first version and grants none.
static inline int ck_refuse_files(void) {
  struct landlock_ruleset_attr rules = {.handled_access_fs = (1ULL << 13) - 1};
  int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
  if (fd < 0) return -1;
  int result = (int)syscall(SYS_landlock_restrict_self, fd, 0);
  close(fd);
  return result;
}

// proc(5): bytes of address space in use, 0 where it cannot be told.
static inline uint64_t ck_address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}
#endif
