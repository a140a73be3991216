/**
 * Arguments that nobody but handlers can read (OJS Encryption).
 */
@NullMarked
package io.ojs.crypto;

import org.jspecify.annotations.NullMarked;
