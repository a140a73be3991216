/**
 * Spans of enqueueing and of attempts, and the traces that contain them (OJS
 * Observability §3). Not part of the API.
 */
@NullMarked
package io.ojs.internal.trace;

import org.jspecify.annotations.NullMarked;
