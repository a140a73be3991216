/**
 * Workers that fetch jobs from the store: those of queues with {@code delivery=store},
 * and workers over HTTP. Not part of the API.
 */
@NullMarked
package io.ojs.internal.fetch;

import org.jspecify.annotations.NullMarked;
