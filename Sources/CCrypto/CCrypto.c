// OpenSSL's libcrypto, loaded when the first encrypted backup is opened.
//
// Linked in the ordinary way it would be loaded by every run, and four megabytes of it relocated,
// though almost none needs it. The compiler holds the pointers against the library's own header.
#include "CCrypto.h"

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <openssl/evp.h>
#include <string.h>

// The name holds the version of the binary interface.
static const char library[] = "libcrypto.so.3";

#define FUNCTIONS(X)       \
  X(EVP_CIPHER_CTX_new)    \
  X(EVP_CIPHER_CTX_free)   \
  X(EVP_CIPHER_CTX_set_flags) \
  X(EVP_CIPHER_CTX_set_padding) \
  X(EVP_DecryptInit_ex)    \
  X(EVP_DecryptUpdate)     \
  X(EVP_DecryptFinal_ex)   \
  X(EVP_aes_128_wrap)      \
  X(EVP_aes_192_wrap)      \
  X(EVP_aes_256_wrap)      \
  X(EVP_aes_256_cbc)       \
  X(EVP_sha1)              \
  X(EVP_sha256)            \
  X(PKCS5_PBKDF2_HMAC)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} call;
static int isLoaded;

const char *cc_load(void) {
  if (isLoaded) return NULL;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define FIND(name) \
  if (!(call.name = (__typeof__(&name))dlsym(handle, #name))) return library;
  FUNCTIONS(FIND)
  isLoaded = 1;
  return NULL;
}

int cc_pbkdf2(enum cc_hash hash, const void *password, size_t password_size, const void *salt,
              size_t salt_size, uint32_t rounds, void *key, size_t key_size) {
  if (password_size > INT_MAX || salt_size > INT_MAX || key_size > INT_MAX || rounds > INT_MAX ||
      rounds == 0)
    return 0;
  const EVP_MD *digest = hash == CC_HASH_SHA1 ? call.EVP_sha1() : call.EVP_sha256();
  return call.PKCS5_PBKDF2_HMAC(password, (int)password_size, salt, (int)salt_size, (int)rounds,
                                digest, (int)key_size, key) == 1;
}

int cc_unwrap(const void *wrapping_key, size_t wrapping_key_size, const void *wrapped, size_t size,
              void *key) {
  const EVP_CIPHER *cipher = wrapping_key_size == 32   ? call.EVP_aes_256_wrap()
                             : wrapping_key_size == 24 ? call.EVP_aes_192_wrap()
                             : wrapping_key_size == 16 ? call.EVP_aes_128_wrap()
                                                       : NULL;
  // What is longer than any key would not fit the space that OpenSSL may write to.
  unsigned char space[256];
  if (!cipher || size < 24 || size % 8 != 0 || size > sizeof space) return 0;
  EVP_CIPHER_CTX *context = call.EVP_CIPHER_CTX_new();
  if (!context) return 0;
  call.EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  int written = 0;
  int done = call.EVP_DecryptInit_ex(context, cipher, NULL, wrapping_key, NULL) == 1 &&
             call.EVP_DecryptUpdate(context, space, &written, wrapped, (int)size) == 1 &&
             written == (int)size - 8;
  call.EVP_CIPHER_CTX_free(context);
  if (done) memcpy(key, space, size - 8);
  cc_wipe(space, sizeof space);
  return done;
}

int cc_decrypt_cbc(const void *key, const void *vector, void *bytes, size_t size) {
  if (size % 16 != 0) return 0;
  EVP_CIPHER_CTX *context = call.EVP_CIPHER_CTX_new();
  if (!context) return 0;
  int done = call.EVP_DecryptInit_ex(context, call.EVP_aes_256_cbc(), NULL, key, vector) == 1 &&
             call.EVP_CIPHER_CTX_set_padding(context, 0) == 1;
  // OpenSSL counts in int.
  unsigned char *place = bytes;
  while (done && size > 0) {
    int part = size > (1 << 20) ? 1 << 20 : (int)size;
    int written = 0;
    done = call.EVP_DecryptUpdate(context, place, &written, place, part) == 1 && written == part;
    place += part;
    size -= (size_t)part;
  }
  int rest = 0;
  unsigned char last[16];
  done = done && call.EVP_DecryptFinal_ex(context, last, &rest) == 1 && rest == 0;
  call.EVP_CIPHER_CTX_free(context);
  return done;
}

void cc_wipe(void *bytes, size_t size) { explicit_bzero(bytes, size); }
#endif
