/**
 * The pauses of this library's own retries.
 */
@NullMarked
package io.ojs.retry.internal;

import org.jspecify.annotations.NullMarked;
