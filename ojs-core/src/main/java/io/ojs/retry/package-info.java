/**
 * When a failed job runs again, and what becomes of it when it does not (OJS Retry).
 */
@NullMarked
package io.ojs.retry;

import org.jspecify.annotations.NullMarked;
