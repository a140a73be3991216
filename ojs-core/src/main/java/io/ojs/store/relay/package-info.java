/**
 * How stored jobs reach the broker: the outbox that inserts them, the publisher that
 * publishes them after the commit, and the relay that publishes all others.
 */
@NullMarked
package io.ojs.store.relay;

import org.jspecify.annotations.NullMarked;
