/* Lists of names, statuses and sizes. */
#include "check.h"

void lists(void) {
    size_t i;
    CHECK(strcmp(fairlane_version(), FAIRLANE_VERSION) == 0);
    CHECK(strcmp(fairlane_status_message(FAIRLANE_OK), "no error") == 0);
    for (i = 1; i <= FAIRLANE_ERROR_NOT_MADE; i++) CHECK(strlen(fairlane_status_message((int32_t)i)) > 8);
    CHECK(strstr(fairlane_status_message(-7), "no status") != NULL);
    CHECK(strstr(fairlane_status_message(12345), "no status") != NULL);
    CHECK(strcmp(fairlane_backend_name(0), "scalar") == 0);
    CHECK(fairlane_backend_available("scalar"));
    CHECK(!fairlane_backend_available("mmx") && !fairlane_backend_available(NULL));
    CHECK(strcmp(fairlane_primitive_name(0), "keccak") == 0);
    CHECK(fairlane_backend_available(fairlane_primitive_backend("keccak")));
    CHECK(fairlane_primitive_backend("rot13") == NULL && fairlane_primitive_backend(NULL) == NULL);
    for (i = 0; fairlane_hash_name(i); i++) CHECK(fairlane_hash_size(fairlane_hash_name(i)) > 0);
    CHECK(i == 15 && fairlane_hash_name(i) == NULL && fairlane_hash_name((size_t)-1) == NULL);
    for (i = 0; fairlane_aead_name(i); i++) CHECK(fairlane_aead_tag_size(fairlane_aead_name(i)) > 0);
    for (i = 0; fairlane_cipher_name(i); i++) CHECK(fairlane_cipher_nonce_size(fairlane_cipher_name(i)) > 0);
    for (i = 0; fairlane_block_mode_name(i); i++)
        CHECK(fairlane_block_mode_block_size(fairlane_block_mode_name(i)) > 0);
    for (i = 0; fairlane_kem_name(i); i++) CHECK(fairlane_kem_ciphertext_size(fairlane_kem_name(i)) > 0);
    CHECK(fairlane_hash_size("sha3_256") == 0 && fairlane_hash_size(NULL) == 0 && fairlane_hash_size("") == 0);
    CHECK(fairlane_hash_size(FAIRLANE_SHA3_512) == FAIRLANE_SHA3_512_SIZE);
    CHECK(fairlane_hash_block_size(FAIRLANE_KECCAK256) == FAIRLANE_KECCAK256_BLOCK_SIZE);
    CHECK(fairlane_aead_key_size(FAIRLANE_SM4_GCM) == FAIRLANE_SM4_GCM_KEY_SIZE);
    CHECK(fairlane_kem_decapsulation_key_size("ml-kem-1024") == FAIRLANE_ML_KEM_1024_DECAPSULATION_KEY_SIZE);
    CHECK(fairlane_hash_is_extendable("shake128") && !fairlane_hash_is_extendable("sm3"));
    CHECK(!fairlane_hash_is_extendable(NULL));
}
