/**
 * Encryption of arguments, so that only handlers can read them (OJS Encryption).
 */
@NullMarked
package io.ojs.crypto;

import org.jspecify.annotations.NullMarked;
