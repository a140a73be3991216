/**
 * Enqueue, find and cancel jobs.
 */
@NullMarked
package io.ojs.client;

import org.jspecify.annotations.NullMarked;
