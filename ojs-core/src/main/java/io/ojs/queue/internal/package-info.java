/**
 * The queues that this process uses, with their configuration as it is now. Not part of
 * the API. Not part of the API.
 */
@NullMarked
package io.ojs.queue.internal;

import org.jspecify.annotations.NullMarked;
