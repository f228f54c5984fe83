// The floor: the same job as `audit -f json`, as plainly as C allows.
//
//   floor [-j THREADS] [-o FILE] [-l] [-s] [-m MIB] ROOT
//     -l  ask for the list of attributes and read the value only of a hit (default: read the value)
//     -s  leave sizes out
//     -m  how much finished output may wait to be written (default 8)
//
// One JSON line for every entry that is not a directory, with its size and its mark, in an order
// that does not depend on the threads: a directory's files by name, then its subdirectories. The
// counts go to standard error. Memory is bounded by -m and by the largest directory.
//
// How: directories form a tree of nodes. `todo` is a list of the nodes that are not finished, in
// output order; a thread takes the first that nobody has taken and puts the subdirectories it
// finds in its place. The first thread also writes: it follows the output order through the tree
// and lends a hand whenever the next node is not finished. Large directories are cut into slices.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MARK "user.com.apple.metadata:com_apple_backup_excludeItem"
enum { SLICE = 1024, SMALL = 32, KEEP_OPEN = 512 };
enum { COVERED, OWN, BOTH, EXPOSED, VERDICTS };
static const char *const words[] = {"covered-by-ancestor", "self-marked", "marked-and-covered", "exposed"};

struct record {
  uint64_t key;  // first eight bytes, big-endian: decides most comparisons
  const char *name;
  unsigned char type;
};
struct names {  // what is shared by the slices of a large directory
  char *raw;
  struct record *records;
  char *prefix;
  size_t prefix_length;
  int fd, users;
};
struct node {
  struct node *parent, *sibling, *child;  // in output order
  struct node *before, *after;            // in the list of unfinished nodes
  struct names *slice_of;
  char *output;
  size_t length;
  long from, to;
  int fd, fd_users;
  bool covered, taken, finished;
  unsigned short name_length;
  char name[];
};
struct thread {
  long counts[VERDICTS], files, links, directories, marked_directories, errors;
  long long bytes;
  char *raw, *output, *prefix;
  struct record *records;
  size_t raw_size, output_size, prefix_size;
  long records_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct node todo;  // the list's sentinel
static size_t waiting_bytes, budget = 8 << 20;
static bool all_done, list_first, no_sizes;
static int sleepers, open_count, output_fd = 1;
static unsigned char escape[256];

static bool is_marked(int fd, const char *name) {
  struct { uint64_t value; uint32_t size, flags; } arguments = {0, 0, 0};
  if (list_first && syscall(465, fd, name, AT_SYMLINK_NOFOLLOW, NULL, 0) == 0) return false;
  return syscall(464, fd, name, AT_SYMLINK_NOFOLLOW, MARK, &arguments, sizeof arguments) > 0;
}

static char *quoted(char *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (!escape[c])
      *out++ = (char)c;
    else
      out += sprintf(out, "\\u%04x", c);
  }
  return out;
}
static char *decimal(char *out, unsigned long long number) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + number % 10);
  while (number /= 10);
  while (n) *out++ = digits[--n];
  return out;
}
static char *literal(char *out, const char *text) {
  size_t n = strlen(text);
  memcpy(out, text, n);
  return out + n;
}

static int compare(const void *left, const void *right) {
  const struct record *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return strcmp(a->name, b->name);
}
static void sort(struct record *records, long count) {
  if (count > SMALL) {
    qsort(records, (size_t)count, sizeof *records, compare);
    return;
  }
  for (long i = 1; i < count; i++) {
    struct record record = records[i];
    long k = i;
    for (; k > 0 && compare(&record, &records[k - 1]) < 0; k--) records[k] = records[k - 1];
    records[k] = record;
  }
}
static uint64_t key_of(const char *name) {
  uint64_t key = 0;
  for (int i = 0; i < 8; i++) {
    key = key << 8 | (unsigned char)*name;
    if (*name) name++;
  }
  return key;
}

// The start of every line of a directory, `{"path":"a/b/`, built from the node up.
static size_t prefix_of(struct thread *t, struct node *node) {
  size_t need = 16;
  for (struct node *n = node; n->parent; n = n->parent) need += n->name_length * 6u + 1;
  if (need > t->prefix_size) t->prefix = realloc(t->prefix, t->prefix_size = need * 2);
  char *end = t->prefix + t->prefix_size, *start = end;
  for (struct node *n = node; n->parent; n = n->parent) {
    char name[256 * 6];
    size_t length = (size_t)(quoted(name, n->name, n->name_length) - name);
    *--start = '/';
    memcpy(start -= length, name, length);
  }
  size_t length = (size_t)(end - start);
  memmove(t->prefix + 9, start, length);
  memcpy(t->prefix, "{\"path\":\"", 9);
  return length + 9;
}

static void write_lines(struct thread *t, struct node *node, int fd, const struct record *records, long count,
                        const char *prefix, size_t prefix_length) {
  size_t used = 0;
  for (long i = 0; i < count; i++) {
    const char *name = records[i].name;
    bool marked = is_marked(fd, name);
    int verdict = marked ? node->covered ? BOTH : OWN : node->covered ? COVERED : EXPOSED;
    long long size = -1;
    struct statx status;
    if (!no_sizes) {
      if (syscall(SYS_statx, fd, name, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_SIZE, &status) == 0)
        size = (long long)status.stx_size;
      else
        t->errors++;
    }
    if (records[i].type == DT_LNK) t->links++;
    else t->files++, t->counts[verdict]++, t->bytes += size > 0 ? size : 0;
    size_t name_length = strlen(name);
    if (used + prefix_length + name_length * 6 + 128 > t->output_size)
      t->output = realloc(t->output, t->output_size = (used + prefix_length + name_length * 6 + 128) * 2);
    char *out = t->output + used;
    memcpy(out, prefix, prefix_length);
    out = quoted(out + prefix_length, name, name_length);
    if (size >= 0) out = decimal(literal(out, "\",\"size\":"), (unsigned long long)size), out = literal(out, ",\"verdict\":\"");
    else out = literal(out, "\",\"verdict\":\"");
    out = literal(literal(out, words[verdict]), "\"}\n");
    used = (size_t)(out - t->output);
  }
  if (!used) return;
  node->output = malloc(used);
  memcpy(node->output, t->output, used);
  node->length = used;
}

static struct node *new_node(struct node *parent, const char *name) {
  size_t length = strlen(name);
  struct node *node = calloc(1, sizeof *node + length + 1);
  node->parent = parent;
  node->fd = -1;
  node->name_length = (unsigned short)length;
  memcpy(node->name, name, length);
  return node;
}

static void release(struct node *node) {
  if (node->fd >= 0 && __atomic_sub_fetch(&node->fd_users, 1, __ATOMIC_ACQ_REL) == 0) {
    close(node->fd);
    node->fd = -1;
    __atomic_sub_fetch(&open_count, 1, __ATOMIC_RELAXED);
  }
}

enum { OPEN_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

// Opens a directory step by step from the root, whose descriptor stays open.
static int open_from_root(const struct node *node) {
  if (!node->parent) return dup(node->fd);
  int parent = open_from_root(node->parent);
  if (parent < 0) return -1;
  int fd = openat(parent, node->name, OPEN_FLAGS);
  close(parent);
  return fd;
}

// Opens a directory from its parent's descriptor if that was kept, and gives up the claim to it.
static int open_node(struct node *node) {
  if (!node->parent || node->parent->fd < 0) return open_from_root(node);
  int fd = openat(node->parent->fd, node->name, OPEN_FLAGS);
  release(node->parent);
  return fd;
}

static long read_names(struct thread *t, int fd) {
  size_t used = 0;
  for (;;) {
    if (t->raw_size - used < 32768) t->raw = realloc(t->raw, t->raw_size = t->raw_size ? t->raw_size * 2 : 65536);
    size_t room = t->raw_size - used;
    long got = syscall(SYS_getdents64, fd, t->raw + used, room > 1 << 20 ? 1 << 20 : room);
    if (got < 0) t->errors++;
    if (got <= 0) break;
    used += (size_t)got;
  }
  long count = 0;
  for (size_t at = 0; at < used;) {
    struct dirent64 *entry = (struct dirent64 *)(t->raw + at);
    at += entry->d_reclen;
    const char *name = entry->d_name;
    if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
    unsigned char type = entry->d_type;
    if (type == DT_UNKNOWN) {
      struct stat status;
      if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0) type = (unsigned char)IFTODT(status.st_mode);
    }
    if (count == t->records_size)
      t->records = realloc(t->records, sizeof *t->records * (size_t)(t->records_size = count ? count * 2 : 1024));
    t->records[count++] = (struct record){key_of(name), name, type};
  }
  return count;
}

static struct node *cut(struct thread *t, struct node *node, int fd, long count, size_t prefix_length) {
  struct names *names = malloc(sizeof *names);
  *names = (struct names){t->raw, t->records, t->prefix, prefix_length, fd, (int)((count + SLICE - 1) / SLICE)};
  t->raw = NULL, t->records = NULL, t->prefix = NULL;
  t->raw_size = t->prefix_size = 0, t->records_size = 0;
  struct node *first = NULL, **link = &first;
  for (long from = 0; from < count; from += SLICE) {
    struct node *slice = new_node(node, "");
    slice->slice_of = names;
    slice->from = from;
    slice->to = from + SLICE < count ? from + SLICE : count;
    slice->covered = node->covered;
    *link = slice;
    link = &slice->sibling;
  }
  return first;
}

static void scan(struct thread *t, struct node *node) {
  int fd = open_node(node);
  if (fd < 0) {
    t->errors++;
    return;
  }
  long count = read_names(t, fd), plain = 0;
  for (long i = 0; i < count; i++)
    if (t->records[i].type != DT_DIR) {
      struct record record = t->records[i];
      t->records[i] = t->records[plain];
      t->records[plain++] = record;
    }
  sort(t->records, plain);
  sort(t->records + plain, count - plain);
  struct node *first = NULL, **link = &first;
  for (long i = plain; i < count; i++) {
    struct node *child = new_node(node, t->records[i].name);
    bool marked = is_marked(fd, child->name);
    child->covered = node->covered || marked;
    t->directories++;
    t->marked_directories += marked;
    *link = child;
    link = &child->sibling;
  }
  bool keep = count > plain && __atomic_load_n(&open_count, __ATOMIC_RELAXED) < KEEP_OPEN;
  if (keep && node->parent) {
    node->fd_users = (int)(count - plain);
    node->fd = plain > 4 * SLICE ? dup(fd) : fd;
    __atomic_add_fetch(&open_count, 1, __ATOMIC_RELAXED);
  }
  size_t prefix_length = prefix_of(t, node);
  if (plain > 4 * SLICE) {
    struct node *slices = cut(t, node, fd, plain, prefix_length), *last = slices;
    while (last->sibling) last = last->sibling;
    last->sibling = first;
    node->child = slices;
    return;
  }
  node->child = first;
  write_lines(t, node, fd, t->records, plain, t->prefix, prefix_length);
  if (node->fd != fd) close(fd);
}

static void work(struct thread *t, struct node *node) {  // called and returns with the lock held
  node->taken = true;
  pthread_mutex_unlock(&lock);
  struct names *names = node->slice_of;
  if (names) {
    write_lines(t, node, names->fd, names->records + node->from, node->to - node->from, names->prefix,
                names->prefix_length);
    if (__atomic_sub_fetch(&names->users, 1, __ATOMIC_ACQ_REL) == 0) {
      close(names->fd);
      free(names->raw), free(names->records), free(names->prefix), free(names);
    }
  } else {
    scan(t, node);
  }
  pthread_mutex_lock(&lock);
  struct node *place = node->before;
  place->after = node->after;
  node->after->before = place;
  for (struct node *child = node->child; child; child = child->sibling) {
    child->before = place;
    child->after = place->after;
    place->after->before = child;
    place->after = child;
    place = child;
  }
  node->finished = true;
  waiting_bytes += node->length;
  if (sleepers) pthread_cond_broadcast(&change);
}

static struct node *first_free(void) {
  struct node *node = todo.after;
  while (node != &todo && node->taken) node = node->after;
  return node == &todo ? NULL : node;
}
static void sleep_on_change(void) {
  sleepers++;
  pthread_cond_wait(&change, &lock);
  sleepers--;
}

static void *helper(void *argument) {
  pthread_mutex_lock(&lock);
  while (!all_done) {
    struct node *node = waiting_bytes < budget ? first_free() : NULL;
    if (node)
      work(argument, node);
    else
      sleep_on_change();
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static char buffer[256 << 10];
static size_t buffered;
static void flush(struct thread *t, const char *data, size_t length) {
  while (length > 0) {
    ssize_t done = write(output_fd, data, length);
    if (done < 0) {
      t->errors++;
      return;
    }
    data += done;
    length -= (size_t)done;
  }
}
static void emit(struct thread *t, struct node *node) {
  if (buffered + node->length > sizeof buffer) flush(t, buffer, buffered), buffered = 0;
  if (node->length > sizeof buffer) flush(t, node->output, node->length);
  else if (node->length) memcpy(buffer + buffered, node->output, node->length), buffered += node->length;
  free(node->output);
  node->output = NULL;
}

// Follows the output order; frees a node when everything below it has been written.
static void follow(struct thread *t, struct node *node) {
  pthread_mutex_lock(&lock);
  while (node) {
    if (!node->finished) {
      struct node *next = first_free();
      if (next && (next == node || waiting_bytes < budget)) work(t, next);
      else sleep_on_change();
      continue;
    }
    size_t length = node->length;
    pthread_mutex_unlock(&lock);
    emit(t, node);
    struct node *next = node->child;
    while (!next && node) {
      next = node->sibling;
      struct node *parent = node->parent;
      free(node);
      node = parent;
      if (next) break;
    }
    pthread_mutex_lock(&lock);
    bool was_full = waiting_bytes >= budget;
    waiting_bytes -= length;
    if (was_full && waiting_bytes < budget && sleepers) pthread_cond_broadcast(&change);
    node = next;
  }
  all_done = true;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
  flush(t, buffer, buffered);
}

int main(int argc, char **argv) {
  int option, threads = 1;
  while ((option = getopt(argc, argv, "j:o:lsm:")) != -1) {
    if (option == 'j') threads = atoi(optarg);
    else if (option == 'o') output_fd = open(optarg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    else if (option == 'l') list_first = true;
    else if (option == 's') no_sizes = true;
    else if (option == 'm') budget = (size_t)atol(optarg) << 20;
    else return 64;
  }
  if (optind + 1 != argc || threads < 1 || threads > 64 || output_fd < 0) return 64;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) limit.rlim_cur = limit.rlim_max, setrlimit(RLIMIT_NOFILE, &limit);
  for (int i = 0; i < 32; i++) escape[i] = 1;
  escape['"'] = escape['\\'] = 1;
  todo.before = todo.after = &todo;
  struct node *root = new_node(NULL, "");
  root->fd = open(argv[optind], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root->fd < 0) {
    perror(argv[optind]);
    return 2;
  }
  root->fd_users = 1 << 30;
  root->covered = lgetxattr(argv[optind], MARK, NULL, 0) > 0;
  root->before = root->after = &todo;
  todo.before = todo.after = root;
  struct thread *all = calloc((size_t)threads, sizeof *all);
  pthread_t ids[64];
  for (int i = 1; i < threads; i++) pthread_create(&ids[i], NULL, helper, &all[i]);
  follow(&all[0], root);
  for (int i = 1; i < threads; i++) pthread_join(ids[i], NULL);
  struct thread sum = {0};
  for (int i = 0; i < threads; i++) {
    for (int k = 0; k < VERDICTS; k++) sum.counts[k] += all[i].counts[k];
    sum.files += all[i].files, sum.links += all[i].links, sum.directories += all[i].directories;
    sum.marked_directories += all[i].marked_directories, sum.errors += all[i].errors, sum.bytes += all[i].bytes;
  }
  fprintf(stderr, "{\"files\": %ld, \"symlinks\": %ld, \"directories\": %ld, \"markedDirectories\": %ld, "
          "\"bytes\": %lld, \"errors\": %ld, \"marks\": {", sum.files, sum.links, sum.directories,
          sum.marked_directories, sum.bytes, sum.errors);
  for (int k = 0; k < VERDICTS; k++) fprintf(stderr, "%s\"%s\": %ld", k ? ", " : "", words[k], sum.counts[k]);
  fprintf(stderr, "}}\n");
  return sum.errors ? 2 : 0;
}
