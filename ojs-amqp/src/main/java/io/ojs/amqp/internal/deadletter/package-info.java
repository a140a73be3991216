/**
 * How dead letters at the broker are selected and replayed, and moved to the job store.
 * Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.deadletter;

import org.jspecify.annotations.NullMarked;
