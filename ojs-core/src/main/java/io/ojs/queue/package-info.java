/**
 * What is known of queues that are in use: their configuration, their state and which
 * jobs they take.
 */
@NullMarked
package io.ojs.queue;

import org.jspecify.annotations.NullMarked;
