/**
 * Dead letters at the broker: selecting and replaying them, and moving them to the job
 * store.
 */
@NullMarked
package io.ojs.amqp.deadletter;

import org.jspecify.annotations.NullMarked;
