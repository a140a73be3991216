/**
 * The queues in use: their configurations, their states, and the reasons for which they
 * refuse jobs.
 */
@NullMarked
package io.ojs.queue;

import org.jspecify.annotations.NullMarked;
