// The documented prototypes of the Darwin calls that files called Platform/Darwin*.swift use:
// written from the manual pages (man 2 getxattr, getattrlistbulk, statfs, open …; man 3 copyfile,
// directory), never linked, never run. A call that is not here does not type-check: add it with
// its documented prototype. Numbers are those of the manual or the SDK where they are public.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int32_t pid_t;
typedef int32_t dev_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef long time_t;
typedef uint32_t attrgroup_t;

typedef struct __sFILE FILE;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

// errno itself is part of the overlay: Overlay.swift.
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define ERANGE 34
#define EAGAIN 35
#define ENOTSUP 45
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ELOOP 62
#define ENAMETOOLONG 63
#define EDQUOT 69
#define ESTALE 70
#define ENOSYS 78
#define EOVERFLOW 84
#define ENOATTR 93
#define ENODATA 96
#define EOPNOTSUPP 102

char *strerror(int code);
int strerror_r(int code, char *buffer, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memchr(const void *bytes, int byte, size_t size);
char *strdup(const char *text);
void free(void *memory);
char *getenv(const char *name);

// getxattr(2), setxattr(2), listxattr(2), removexattr(2)
#define XATTR_NOFOLLOW 0x0001
#define XATTR_CREATE 0x0002
#define XATTR_REPLACE 0x0004
#define XATTR_SHOWCOMPRESSION 0x0020
ssize_t getxattr(
    const char *path, const char *name, void *value, size_t size, uint32_t position, int options);
ssize_t fgetxattr(
    int fd, const char *name, void *value, size_t size, uint32_t position, int options);
int setxattr(
    const char *path, const char *name, const void *value, size_t size, uint32_t position,
    int options);
int fsetxattr(
    int fd, const char *name, const void *value, size_t size, uint32_t position, int options);
int removexattr(const char *path, const char *name, int options);
int fremovexattr(int fd, const char *name, int options);
ssize_t listxattr(const char *path, char *names, size_t size, int options);
ssize_t flistxattr(int fd, char *names, size_t size, int options);

// copyfile(3)
typedef struct _copyfile_state *copyfile_state_t;
typedef uint32_t copyfile_flags_t;
#define COPYFILE_XATTR (1 << 2)
#define COPYFILE_NOFOLLOW_SRC (1 << 18)
#define COPYFILE_NOFOLLOW_DST (1 << 19)
#define COPYFILE_NOFOLLOW (COPYFILE_NOFOLLOW_SRC | COPYFILE_NOFOLLOW_DST)
copyfile_state_t copyfile_state_alloc(void);
int copyfile_state_free(copyfile_state_t state);
int copyfile(const char *from, const char *to, copyfile_state_t state, copyfile_flags_t flags);
int fcopyfile(int from, int to, copyfile_state_t state, copyfile_flags_t flags);

// open(2), close(2), read(2), lseek(2); the variadic calls are part of the overlay.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x00100000
#define O_SYMLINK 0x00200000
#define O_CLOEXEC 0x01000000
#define O_NOFOLLOW_ANY 0x20000000
#define O_EVTONLY 0x8000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_GETFD 1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define F_GETPATH 50
#define F_NOCACHE 48
#define F_RDADVISE 44
int close(int fd);
int dup(int fd);
ssize_t read(int fd, void *buffer, size_t size);
ssize_t pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t write(int fd, const void *buffer, size_t size);
off_t lseek(int fd, off_t offset, int whence);
int mkdir(const char *path, mode_t mode);
int mkdirat(int fd, const char *path, mode_t mode);
int unlink(const char *path);
int rename(const char *from, const char *to);
ssize_t readlink(const char *path, char *buffer, size_t size);
ssize_t readlinkat(int fd, const char *path, char *buffer, size_t size);
char *realpath(const char *path, char *resolved);
char *getcwd(char *buffer, size_t size);
int fsync(int fd);
int fchmod(int fd, mode_t mode);
mode_t umask(mode_t mask);
int mkstemp(char *path);
int isatty(int fd);
pid_t getpid(void);
uid_t getuid(void);
uid_t geteuid(void);

// stat(2)
static const mode_t S_IFMT = 0170000;
static const mode_t S_IFIFO = 0010000;
static const mode_t S_IFCHR = 0020000;
static const mode_t S_IFDIR = 0040000;
static const mode_t S_IFBLK = 0060000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFLNK = 0120000;
static const mode_t S_IFSOCK = 0140000;
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_SYMLINK_NOFOLLOW_ANY 0x0800
#define AT_REMOVEDIR 0x0080
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int fd, struct stat *status);
int fstatat(int fd, const char *path, struct stat *status, int flags);

// statfs(2)
#define MFSTYPENAMELEN 16
#define MAXPATHLEN 1024
#define PATH_MAX 1024
#define NAME_MAX 255
#define MNT_RDONLY 0x00000001
#define MNT_LOCAL 0x00001000
typedef struct fsid {
  int32_t val[2];
} fsid_t;
struct statfs {
  uint32_t f_bsize;
  int32_t f_iosize;
  uint64_t f_blocks;
  uint64_t f_bfree;
  uint64_t f_bavail;
  uint64_t f_files;
  uint64_t f_ffree;
  fsid_t f_fsid;
  uid_t f_owner;
  uint32_t f_type;
  uint32_t f_flags;
  uint32_t f_fssubtype;
  char f_fstypename[MFSTYPENAMELEN];
  char f_mntonname[MAXPATHLEN];
  char f_mntfromname[MAXPATHLEN];
  uint32_t f_flags_ext;
  uint32_t f_reserved[7];
};
int statfs(const char *path, struct statfs *status);
int fstatfs(int fd, struct statfs *status);

// directory(3), dir(5)
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
typedef struct {
  int __dd_fd;
  long __dd_loc;
} DIR;
DIR *opendir(const char *path);
DIR *fdopendir(int fd);
struct dirent *readdir(DIR *stream);
int readdir_r(DIR *stream, struct dirent *entry, struct dirent **result);
void rewinddir(DIR *stream);
int closedir(DIR *stream);
int dirfd(DIR *stream);

// getattrlistbulk(2), getattrlistat(2)
#define ATTR_BIT_MAP_COUNT 5
#define FSOPT_NOFOLLOW 0x00000001
#define FSOPT_PACK_INVAL_ATTRS 0x00000008
#define ATTR_CMN_NAME 0x00000001
#define ATTR_CMN_DEVID 0x00000002
#define ATTR_CMN_FSID 0x00000004
#define ATTR_CMN_OBJTYPE 0x00000008
#define ATTR_CMN_FILEID 0x02000000
#define ATTR_CMN_ERROR 0x20000000
#define ATTR_CMN_RETURNED_ATTRS 0x80000000u
#define ATTR_DIR_LINKCOUNT 0x00000001
#define ATTR_DIR_ENTRYCOUNT 0x00000002
#define ATTR_DIR_MOUNTSTATUS 0x00000004
#define DIR_MNTSTATUS_MNTPOINT 0x00000001
#define ATTR_FILE_LINKCOUNT 0x00000001
#define ATTR_FILE_TOTALSIZE 0x00000002
#define ATTR_FILE_DATALENGTH 0x00000200
#define ATTR_CMNEXT_EXT_FLAGS 0x00000200
typedef struct attribute_set {
  attrgroup_t commonattr;
  attrgroup_t volattr;
  attrgroup_t dirattr;
  attrgroup_t fileattr;
  attrgroup_t forkattr;
} attribute_set_t;
struct attrlist {
  uint16_t bitmapcount;
  uint16_t reserved;
  attrgroup_t commonattr;
  attrgroup_t volattr;
  attrgroup_t dirattr;
  attrgroup_t fileattr;
  attrgroup_t forkattr;
};
typedef struct attrreference {
  int32_t attr_dataoffset;
  uint32_t attr_length;
} attrreference_t;
typedef uint32_t fsobj_type_t;
enum vtype { VNON, VREG, VDIR, VBLK, VCHR, VLNK, VSOCK, VFIFO, VBAD, VSTR, VCPLX };
int getattrlistbulk(
    int fd, void *attributes, void *buffer, size_t size, uint64_t options);
int getattrlist(
    const char *path, void *attributes, void *buffer, size_t size, uint32_t options);
int getattrlistat(
    int fd, const char *path, void *attributes, void *buffer, size_t size, unsigned long options);

// mmap(2)
#define PROT_READ 0x01
#define MAP_PRIVATE 0x0002
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int munmap(void *address, size_t size);

// pthread(3). The importer shows the routine's argument as not optional.
struct _opaque_pthread_t {
  long __sig;
  char __opaque[8184];
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct {
  long __sig;
  char __opaque[56];
} pthread_attr_t;
typedef struct {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
typedef struct {
  long __sig;
  char __opaque[40];
} pthread_cond_t;
typedef struct {
  long __sig;
  char __opaque[8];
} pthread_mutexattr_t;
typedef struct {
  long __sig;
  char __opaque[8];
} pthread_condattr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull routine)(void *_Nonnull), void *_Nullable argument);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
int pthread_mutex_init(
    pthread_mutex_t *_Nonnull mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
int pthread_cond_init(
    pthread_cond_t *_Nonnull condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_wait(pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex);
int pthread_cond_signal(pthread_cond_t *_Nonnull condition);
int pthread_cond_broadcast(pthread_cond_t *_Nonnull condition);
int pthread_cond_destroy(pthread_cond_t *_Nonnull condition);

char *_Nullable strndup(const char *_Nonnull text, size_t count);

// signal(3); SIG_DFL and SIG_IGN are part of the overlay.
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGURG 16
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGIO 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGWINCH 28
#define SIGINFO 29
typedef void (*sig_t)(int);
sig_t signal(int number, sig_t handler);
int raise(int number);
int kill(pid_t process, int number);

// sigaction(2), sigsetops(3)
typedef uint32_t sigset_t;
struct __siginfo;
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, struct __siginfo *, void *);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
#define SIG_BLOCK 1
#define SIG_SETMASK 3
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigpending(sigset_t *set);
int sigprocmask(int how, const sigset_t *set, sigset_t *before);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);

// posix_spawn(2), wait(2), pipe(2)
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_adddup2(
    posix_spawn_file_actions_t _Nullable *_Nonnull actions, int from, int to);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t _Nullable *_Nonnull actions, int fd, const char *_Nonnull path,
    int flags, mode_t mode);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Nonnull attributes, short flags);
int posix_spawn(
    pid_t *_Nonnull process, const char *_Nonnull path,
    const posix_spawn_file_actions_t _Nullable *_Nonnull actions,
    const posix_spawnattr_t _Nullable *_Nonnull attributes, char *_Nullable const *_Nonnull words,
    char *_Nullable const *_Nonnull variables);
pid_t waitpid(pid_t process, int *status, int options);
int pipe(int ends[2]);

// dyld(3)
int _NSGetExecutablePath(char *buffer, uint32_t *size);

// termios(4), poll(2)
typedef unsigned long tcflag_t;
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  unsigned char c_cc[20];
  unsigned long c_ispeed, c_ospeed;
};
#define ECHO 0x00000008
#define ECHONL 0x00000010
#define ICANON 0x00000100
#define TCSAFLUSH 2
int tcgetattr(int fd, struct termios *out);
int tcsetattr(int fd, int when, const struct termios *attributes);
#define POLLIN 0x0001
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *files, unsigned int count, int milliseconds);
void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));

// clock_gettime(3)
typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
  _CLOCK_PROCESS_CPUTIME_ID = 12,
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);

// time(3), ctime(3)
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  char *tm_zone;
};
time_t time(time_t *out);
struct tm *localtime_r(const time_t *clock, struct tm *result);
struct tm *gmtime_r(const time_t *clock, struct tm *result);

// <xlocale.h>
typedef struct _xlocale *locale_t;
#define LC_CTYPE_MASK (1 << 1)
locale_t newlocale(int mask, const char *locale, locale_t base);
locale_t uselocale(locale_t locale);
int freelocale(locale_t locale);

// getrusage(2)
struct timeval {
  long tv_sec;
  int tv_usec;
};
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap;
  long ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
#define RUSAGE_SELF 0
int getrusage(int who, struct rusage *usage);

// tty(4); ioctl is variadic and part of the overlay.
struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};

// setlocale(3)
#define LC_CTYPE 2
char *setlocale(int category, const char *locale);

// sysctl(3), sysconf(3)
int sysctlbyname(const char *name, void *old, size_t *oldSize, void *value, size_t size);
long sysconf(int name);
#define _SC_NPROCESSORS_ONLN 58

// getrlimit(2)
#define RLIMIT_CPU 0
#define RLIMIT_CORE 4
#define RLIMIT_AS 5
#define RLIMIT_NOFILE 8
typedef uint64_t rlim_t;
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
