/**
 * How arguments are encrypted, compressed and decrypted. Not part of the API.
 */
@NullMarked
package io.ojs.crypto.internal;

import org.jspecify.annotations.NullMarked;
