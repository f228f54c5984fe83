// Makes a tree to measure with, the same one for the same arguments, and prints what it holds.
//
//   tree app  ROOT FILES [SEED] [MEDIAN]   containers of apps, plug-ins and groups as on a device
//   tree flat ROOT FILES                   one directory
//   tree deep ROOT FILES [LEVELS]          a chain of directories, the files spread over it
//   tree grid ROOT FILES DIRECTORIES       equally full directories, for counting what one name costs
//
// MEDIAN is the median size of a file in bytes; files are sparse, only their size is real.
// The counts on standard output are what every reader has to find: the files by marks alone
// ("marks"), and with the documented locations taken out ("documented"); links have no verdict here.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MARK "user.com.apple.metadata:com_apple_backup_excludeItem"
static const char value[] = "com.apple.MobileBackup";

enum { COVERED, OWN, BOTH, EXPOSED, OUTSIDE, VERDICTS };
static const char *const words[] = {"covered-by-ancestor", "self-marked", "marked-and-covered", "exposed",
                                    "outside-backup"};
static long marks[VERDICTS], documented[VERDICTS];
static long files, symlinks, directories, marked_directories, containers, levels;
static long long bytes;
static long wanted;
static uint64_t state;
static double median = 4096;

struct place {
  int fd;
  bool covered, outside;
  long level;
};

static void fail(const char *what) {
  fprintf(stderr, "tree: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t next(void) {  // xorshift64*
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DULL;
}
static unsigned below(unsigned limit) { return (unsigned)((next() >> 33) % limit); }
static bool permille(unsigned part) { return below(1000) < part; }

// Sizes and directory fills have a long tail: a value is doubled as long as the coin says so.
static long tailed(double middle) {
  double x = middle * (below(1000) + 1) / 500.0;
  while (permille(400) && x < 8e6) x *= 2;
  while (permille(300) && x > 2) x /= 2;
  return (long)x;
}

static void count(bool marked, struct place at) {
  int verdict = marked ? at.covered ? BOTH : OWN : at.covered ? COVERED : EXPOSED;
  marks[verdict]++;
  documented[at.outside ? OUTSIDE : verdict]++;
}

static void put(struct place at, const char *name, bool marked, const char *text) {
  int fd = openat(at.fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return;
  if (fd < 0) fail(name);
  long size = text ? (long)strlen(text) : tailed(median);
  if (text ? write(fd, text, size) != size : ftruncate(fd, size) != 0) fail(name);
  if (marked && fsetxattr(fd, MARK, value, sizeof value - 1, 0)) fail(MARK);
  close(fd);
  files++;
  bytes += size;
  count(marked, at);
}

static void put_link(struct place at, const char *name, const char *target) {
  if (symlinkat(target, at.fd, name)) {
    if (errno == EEXIST) return;
    fail(name);
  }
  symlinks++;
}

static struct place enter(struct place parent, const char *name, unsigned marked_permille) {
  struct place at = parent;
  bool made = mkdirat(parent.fd, name, 0755) == 0;
  if (!made && errno != EEXIST) fail(name);
  at.fd = openat(parent.fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (at.fd < 0) fail(name);
  at.level++;
  if (at.level > levels) levels = at.level;
  if (made) {
    directories++;
    if (permille(marked_permille)) {
      if (fsetxattr(at.fd, MARK, value, sizeof value - 1, 0)) fail(MARK);
      marked_directories++;
      at.covered = true;
    }
  } else if (fgetxattr(at.fd, MARK, NULL, 0) > 0) {
    at.covered = true;
  }
  return at;
}
static void leave(struct place at) { close(at.fd); }

static void uuid(char *out) {
  uint64_t a = next(), b = next();
  sprintf(out, "%08X-%04X-4%03X-9%03X-%012llX", (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xFFFF),
          (unsigned)(a & 0xFFF), (unsigned)(b >> 52), (unsigned long long)(b & 0xFFFFFFFFFFFF));
}
static const char *pick(const char *const *list, unsigned n) { return list[below(n)]; }
static const char *const nouns[] = {"message", "avatar", "draft", "session", "thumb", "token", "event", "photo"};
static const char *const endings[] = {"plist", "json", "png", "heic", "db", "log", "bin", "m4a"};
static const char *const folders[] = {"Store", "Media", "Sync", "Segments", "Attachments", "Index", "Blobs"};

static void database(struct place at, const char *stem) {
  static const char *const parts[] = {"", "-wal", "-shm"};
  bool marked = permille(200);
  for (int i = 0; i < 3; i++) {
    char name[300];
    snprintf(name, sizeof name, "%s.sqlite%s", stem, parts[i]);
    put(at, name, marked && (i == 0 || permille(200)), NULL);
  }
}

static void some(struct place at, long n) {
  unsigned style = below(3);
  for (long i = 0; i < n && files < wanted; i++) {
    char name[300], id[64];
    uuid(id);
    if (permille(30)) {
      snprintf(name, sizeof name, "%s%ld", pick(nouns, 8), i);
      database(at, name);
      i += 2;
      continue;
    }
    if (permille(3)) {
      snprintf(name, sizeof name, "link-%ld", i);
      put_link(at, name, id);
      continue;
    }
    if (style == 0)
      snprintf(name, sizeof name, "%s", id);
    else if (style == 1)
      snprintf(name, sizeof name, "%s-%05ld.%s", pick(nouns, 8), i, pick(endings, 8));
    else
      snprintf(name, sizeof name, "%016llx%08x.%s", (unsigned long long)next(), below(1u << 30), pick(endings, 8));
    put(at, name, permille(20), NULL);
  }
}

static void grow(struct place at, long *budget) {
  long n = permille(100) ? 0 : tailed(6);
  if (n > *budget) n = *budget;
  *budget -= n;
  some(at, n);
  if (at.level > 16) return;
  for (unsigned i = below(8); i > 0 && *budget > 0 && files < wanted; i--) {
    char name[100];
    if (permille(400))
      uuid(name);
    else if (permille(500))
      snprintf(name, sizeof name, "%02x", below(256));
    else
      snprintf(name, sizeof name, "%s-%u", pick(folders, 7), i);
    struct place child = enter(at, name, 10);
    grow(child, budget);
    leave(child);
  }
}

static void container(struct place parent, int class) {
  char name[100], id[100], text[600];
  uuid(name);
  snprintf(id, sizeof id, "%sio.example.%s%u", class == 7 ? "group." : "", pick(nouns, 8), below(100000));
  struct place home = enter(parent, name, 0);
  containers++;
  snprintf(text, sizeof text,
           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>"
           "<key>MCMMetadataIdentifier</key><string>%s</string>"
           "<key>MCMMetadataContentClass</key><integer>%d</integer></dict></plist>\n", id, class);
  put(home, ".com.apple.mobile_container_manager.metadata.plist", false, text);
  long budget = tailed(120);
  bool has_rules = class != 7;

  struct place at = enter(home, "Documents", 10);
  long share = budget / 3;
  grow(at, &share);
  leave(at);
  snprintf(text, sizeof text, "%.80s.localonly", id);
  struct place only = enter(home, text, 700);
  database(only, "blueguard");
  leave(only);

  struct place library = enter(home, "Library", 0);
  at = enter(library, "Preferences", 0);
  snprintf(text, sizeof text, "%.80s.plist", id);
  put(at, text, false, NULL);
  leave(at);
  at = enter(library, "Caches", 50);
  at.outside = has_rules;
  struct place inner = enter(at, id, 0);
  database(inner, "Cache");
  some(inner, budget / 6);
  leave(inner);
  leave(at);
  at = enter(library, "Application Support", 5);
  inner = enter(at, id, 30);
  share = budget / 2;
  for (int i = 0; share > 0 && files < wanted && i < 40; i++) {
    uuid(name);
    struct place child = enter(inner, name, 10);
    grow(child, &share);
    leave(child);
  }
  leave(inner);
  leave(at);
  leave(library);
  at = enter(home, "tmp", 0);
  at.outside = has_rules;
  some(at, below(4));
  leave(at);
  leave(home);
}

static void app(struct place root) {
  struct place all = enter(root, "Containers", 0), data = enter(all, "Data", 0), shared = enter(all, "Shared", 0);
  struct place apps = enter(data, "Application", 0), plugins = enter(data, "PluginKitPlugin", 0);
  struct place groups = enter(shared, "AppGroup", 0);
  while (files < wanted) {
    unsigned kind = below(10);
    if (kind < 6)
      container(apps, 2);
    else if (kind < 8)
      container(plugins, 4);
    else
      container(groups, 7);
  }
}

static void deep(struct place at, long depth) {
  long each = wanted / depth > 0 ? wanted / depth : 1;
  for (long i = 0; i < depth; i++) {
    char name[100];
    for (long k = 0; k < each && files < wanted; k++) {
      snprintf(name, sizeof name, "%s-%05ld.%s", pick(nouns, 8), k, pick(endings, 8));
      put(at, name, permille(20), NULL);
    }
    snprintf(name, sizeof name, "level%04ld", i);
    struct place child = enter(at, name, i == depth / 2 ? 1000 : 0);
    leave(at);
    at = child;
  }
  while (files < wanted) {
    char name[64];
    uuid(name);
    put(at, name, false, NULL);
  }
}

static void grid(struct place root, long folders_wanted) {
  for (long i = 0; i < folders_wanted; i++) {
    char name[100];
    snprintf(name, sizeof name, "folder-%06ld", i);
    struct place at = enter(root, name, 20);
    for (long k = 0; k < wanted / folders_wanted; k++) {
      snprintf(name, sizeof name, "file-%06ld.bin", k);
      put(at, name, permille(20), NULL);
    }
    leave(at);
  }
}

static void print_counts(const char *title, const long *counts) {
  printf(", \"%s\": {", title);
  for (int i = 0; i < VERDICTS; i++) printf("%s\"%s\": %ld", i ? ", " : "", words[i], counts[i]);
  printf("}");
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: tree app|flat|deep|grid ROOT FILES [N] [MEDIAN]\n");
    return 64;
  }
  const char *shape = argv[1], *root = argv[2];
  wanted = atol(argv[3]);
  long extra = argc > 4 ? atol(argv[4]) : 0;
  if (argc > 5) median = atof(argv[5]);
  state = 88172645463325252ULL + (uint64_t)(strcmp(shape, "app") == 0 ? extra : 0) * 1000003;
  if (mkdir(root, 0755)) fail(root);
  struct place at = {open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), false, false, 0};
  if (at.fd < 0) fail(root);
  if (!strcmp(shape, "app"))
    app(at);
  else if (!strcmp(shape, "flat"))
    while (files < wanted) some(at, wanted - files);
  else if (!strcmp(shape, "deep"))
    deep(at, extra > 0 ? extra : 1000);
  else if (!strcmp(shape, "grid"))
    grid(at, extra > 0 ? extra : 100);
  else
    return 64;
  printf("{\"shape\": \"%s\", \"files\": %ld, \"symlinks\": %ld, \"directories\": %ld, \"entries\": %ld, "
         "\"markedDirectories\": %ld, \"containers\": %ld, \"bytes\": %lld, \"levels\": %ld", shape, files, symlinks, directories,
         files + symlinks + directories, marked_directories, containers, bytes, levels);
  print_counts("marks", marks);
  print_counts("documented", documented);
  printf("}\n");
  return 0;
}
