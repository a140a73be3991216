/**
 * Spans of enqueueing and of attempts, and the traces that contain them (OJS
 * Observability §3).
 */
@NullMarked
package io.ojs.trace;

import org.jspecify.annotations.NullMarked;
