/**
 * Workers that fetch jobs from the store: those of queues with {@code delivery=store},
 * and workers over HTTP.
 */
@NullMarked
package io.ojs.fetch;

import org.jspecify.annotations.NullMarked;
