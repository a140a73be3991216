/**
 * The way of a stored job to the broker: the outbox that keeps it, the publish after the
 * commit, and the relay that publishes what is still due.
 */
@NullMarked
package io.ojs.store.relay;

import org.jspecify.annotations.NullMarked;
