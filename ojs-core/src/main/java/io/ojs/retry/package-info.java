/**
 * When a failed job is retried, and what happens to it when it is not (OJS Retry).
 */
@NullMarked
package io.ojs.retry;

import org.jspecify.annotations.NullMarked;
