/**
 * Queues: their configuration and states, how operators create and change them, and why
 * they refuse jobs (OJS Queue Configuration).
 */
@NullMarked
package io.ojs.queue;

import org.jspecify.annotations.NullMarked;
