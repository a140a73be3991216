/**
 * Queues as things that are made, configured, paused and deleted (OJS Queue
 * Configuration), and which jobs they take.
 */
@NullMarked
package io.ojs.queue;

import org.jspecify.annotations.NullMarked;
