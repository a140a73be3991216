/**
 * How stored jobs reach the broker: the outbox that inserts them, the publisher that
 * publishes them after the commit, and the relay that publishes all others. Not part of
 * the API.
 */
@NullMarked
package io.ojs.store.internal.relay;

import org.jspecify.annotations.NullMarked;
