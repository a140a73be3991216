/**
 * Spans around what is done with jobs, and the traces that they belong to (OJS
 * Observability §3).
 */
@NullMarked
package io.ojs.trace;

import org.jspecify.annotations.NullMarked;
