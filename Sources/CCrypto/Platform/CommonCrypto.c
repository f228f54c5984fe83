// The same operations by Apple's CommonCrypto, which is part of the system: nothing is loaded.
//
// Written from the documented prototypes; nobody has run it.
#if defined(__APPLE__)
#define __STDC_WANT_LIB_EXT1__ 1
#include "../include/CCrypto.h"

#include <CommonCrypto/CommonCrypto.h>
#include <CommonCrypto/CommonSymmetricKeywrap.h>
#include <string.h>

const char *cc_load(void) { return NULL; }

int cc_pbkdf2(enum cc_hash hash, const void *password, size_t password_size, const void *salt,
              size_t salt_size, uint32_t rounds, void *key, size_t key_size) {
  // NULL is refused, even for no bytes.
  return CCKeyDerivationPBKDF(kCCPBKDF2, password ? password : "", password_size, salt, salt_size,
                              hash == CC_HASH_SHA1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256,
                              rounds, key, key_size) == kCCSuccess;
}

int cc_unwrap(const void *wrapping_key, size_t wrapping_key_size, const void *wrapped, size_t size,
              void *key) {
  if (size < 24 || size % 8 != 0 || size > 256) return 0;
  size_t written = size - 8;
  return CCSymmetricKeyUnwrap(kCCWRAPAES, CCrfc3394_iv, CCrfc3394_ivLen, wrapping_key,
                              wrapping_key_size, wrapped, size, key, &written) == kCCSuccess &&
         written == size - 8;
}

int cc_decrypt_cbc(const void *key, const void *vector, void *bytes, size_t size) {
  size_t written = 0;
  return size % 16 == 0 &&
         CCCrypt(kCCDecrypt, kCCAlgorithmAES, 0, key, kCCKeySizeAES256, vector, bytes, size, bytes,
                 size, &written) == kCCSuccess &&
         written == size;
}

void cc_wipe(void *bytes, size_t size) { memset_s(bytes, size, 0, size); }
#endif
